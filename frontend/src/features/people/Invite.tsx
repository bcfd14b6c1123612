/** Creates a link with which one person joins, and shows it this one time. */
import { Button, Modal, Radio, Stack } from "@mantine/core";
import { useState } from "react";

import { describeError } from "@/api/client";
import { useInvite } from "@/api/people";
import type { Role } from "@/api/types";
import { parseRole, ROLES } from "@/features/people/roles";
import { SecretOnce } from "@/ui/SecretOnce";

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
  if (invite.data === undefined) return <RoleForm invite={invite} />;
  return (
    <SecretOnce
      said="Send this link to the person."
      secret={window.location.origin + invite.data.path}
      noun="link"
      onClose={onClose}
    />
  );
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
        <p className="ts-hint">The link works for one person and for 7 days.</p>
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
