/** Makes an earlier version the draft of its agent, and opens the editor; undo there brings back
 * what the draft was. */
import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";

import { loadDraft, putDraft } from "@/api/agentDrafts";
import { showFailure } from "@/api/showFailure";
import type { AgentVersion } from "@/api/types";

interface EditFromProps {
  agentId: string;
  version: AgentVersion;
}

export function EditFrom({ agentId, version: { number, spec } }: EditFromProps) {
  const navigate = useNavigate();
  const edit = useMutation({
    mutationFn: async () => {
      const { revision } = await loadDraft(agentId);
      return putDraft(agentId, { ...spec }, revision);
    },
    onSuccess: () => {
      notifications.show({
        message: `The draft is v${number} now; Undo brings back what it was.`,
      });
      void navigate(`/agents/${agentId}/edit`);
    },
    onError: (error) => showFailure(`v${number} did not become the draft`, error),
  });
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      title="Makes it the draft, from which the next version is saved"
      loading={edit.isPending}
      onClick={() => edit.mutate()}
    >
      Edit from v{number}
    </Button>
  );
}
