/** Creates a token, and shows it this one time. */
import { Button, Modal, SegmentedControl, Select, Stack, TextInput } from "@mantine/core";
import { useState } from "react";

import { describeError } from "@/api/client";
import { useCanWrite } from "@/api/session";
import { useMakeToken } from "@/api/tokens";
import classes from "@/features/tokens/tokens.module.css";
import { Code, SecretOnce } from "@/ui/SecretOnce";

interface NewTokenProps {
  isOpen: boolean;
  onClose: () => void;
}

export function NewToken({ isOpen, onClose }: NewTokenProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="New access token" size={480}>
      <Making onClose={onClose} />
    </Modal>
  );
}

function Making({ onClose }: { onClose: () => void }) {
  const make = useMakeToken();
  if (make.data !== undefined) return <Made token={make.data.token} onClose={onClose} />;
  return <TokenForm make={make} />;
}

const FOREVER = "forever";
const LIFETIMES = [
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
  { value: FOREVER, label: "Never" },
];

function TokenForm({ make }: { make: ReturnType<typeof useMakeToken> }) {
  const canWrite = useCanWrite();
  const [name, setName] = useState("");
  const [access, setAccess] = useState<"read" | "write">("read");
  const [lifetime, setLifetime] = useState("90");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const days = lifetime === FOREVER ? null : Number(lifetime);
        make.mutate({ name: name.trim(), access, days });
      }}
    >
      <Stack gap={12}>
        <TextInput
          label="Name"
          description="What it is for, such as nightly export"
          data-autofocus
          required
          withAsterisk={false}
          maxLength={100}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <div>
          <p className={classes.label} id="token-access">
            Access
          </p>
          <SegmentedControl
            aria-labelledby="token-access"
            fullWidth
            disabled={!canWrite}
            value={access}
            onChange={(chosen) => setAccess(chosen)}
            data={[
              { value: "read", label: "Read only" },
              { value: "write", label: "Read and write" },
            ]}
          />
          {!canWrite && <p className="ts-hint">You can only view this project.</p>}
        </div>
        <Select
          label="Expires"
          allowDeselect={false}
          data={LIFETIMES}
          value={lifetime}
          onChange={(chosen) => setLifetime(chosen ?? lifetime)}
        />
        {make.isError && <p role="alert">{describeError(make.error)}</p>}
        <div className="ts-row">
          <Button type="submit" ml="auto" disabled={name.trim() === ""} loading={make.isPending}>
            Create token
          </Button>
        </div>
      </Stack>
    </form>
  );
}

function Made({ token, onClose }: { token: string; onClose: () => void }) {
  const example = `curl -H "Authorization: Bearer ${token}" ${window.location.origin}/api/v1/session`;
  return (
    <SecretOnce said="Copy the token now." secret={token} noun="token" onClose={onClose}>
      <p className="ts-hint">Try it:</p>
      <Code>{example}</Code>
    </SecretOnce>
  );
}
