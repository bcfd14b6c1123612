/** Makes a link by which one person joins, and shows it the only time that it is told. */
import { Button, Modal, Radio, Stack } from "@mantine/core";
import { useState } from "react";

import { describeError } from "@/api/client";
import { useInvite } from "@/api/people";
import type { Role } from "@/api/types";
import classes from "@/features/people/people.module.css";
import { parseRole, ROLES } from "@/features/people/roles";
import { copyText } from "@/ui/copyText";

interface InviteProps {
  isOpen: boolean;
  onClose: () => void;
}

export function Invite({ isOpen, onClose }: InviteProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Invite a person" size={480}>
      <Inviting onClose={onClose} />
    </Modal>
  );
}

function Inviting({ onClose }: { onClose: () => void }) {
  const invite = useInvite();
  if (invite.data !== undefined) return <Made path={invite.data.path} onClose={onClose} />;
  return <RoleForm invite={invite} />;
}

function RoleForm({ invite }: { invite: ReturnType<typeof useInvite> }) {
  const [role, setRole] = useState<Role>("member");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        invite.mutate(role);
      }}
    >
      <Stack gap={16}>
        <Radio.Group
          label="Role"
          value={role}
          onChange={(value) => setRole(parseRole(value) ?? role)}
        >
          <Stack gap={8} mt={4}>
            {ROLES.map(({ value, label, can }) => (
              <Radio key={value} value={value} label={label} description={can} />
            ))}
          </Stack>
        </Radio.Group>
        <p className="ts-hint">The link is good for one person and for 7 days.</p>
        {invite.isError && <p role="alert">{describeError(invite.error)}</p>}
        <div className="ts-row">
          <Button type="submit" ml="auto" loading={invite.isPending}>
            Create link
          </Button>
        </div>
      </Stack>
    </form>
  );
}

function Made({ path, onClose }: { path: string; onClose: () => void }) {
  const link = window.location.origin + path;
  return (
    <Stack gap={12}>
      <p role="status">Send this link to the person. It is not shown again.</p>
      <code className={classes.link}>{link}</code>
      <div className="ts-row">
        <Button ml="auto" data-autofocus onClick={() => void copyText(link, "Link copied")}>
          Copy link
        </Button>
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
      </div>
    </Stack>
  );
}
