/** Runs the draft from the selected step on, in a new tape, which then takes the pane. */
import { Button, Select } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useMemo, useState } from "react";

import { runDraft, type StepPlace } from "@/api/agentDrafts";
import { jobKeys } from "@/api/jobs";
import { modelsQuery } from "@/api/models";
import { showFailure } from "@/api/showFailure";
import { tapeKeys } from "@/api/tapes";
import { useAgentEditor, useEdited } from "@/features/agent-editor/editorContext";
import { useKeys } from "@/lib/keys";
import { optionsOf } from "@/lib/options";
import { useAddress } from "@/lib/useAddress";

interface RunDraftProps {
  /** `null` without a step of an agent. */
  place: StepPlace | null;
}

export function RunDraft({ place }: RunDraftProps) {
  const { agent, editor } = useAgentEditor();
  const queries = useQueryClient();
  const [, changeAddress] = useAddress();
  const models = useQuery(modelsQuery());
  const [modelId, setModelId] = useState<string | null>(null);
  const errors = useEdited(
    ({ stored }) => stored.problems.filter(({ severity }) => severity === "error").length,
  );
  const { isPending, mutate } = useMutation({
    mutationFn: async (at: StepPlace) => {
      if (!(await editor.flush())) throw new Error("The draft is not saved yet.");
      return runDraft(agent.id, editor.store.getState().stored.revision, at, modelId);
    },
    onSuccess: ({ tape_id: tapeId }) => {
      void queries.invalidateQueries({ queryKey: tapeKeys.lists });
      void queries.invalidateQueries({ queryKey: jobKeys.all });
      changeAddress({ tape: tapeId, step: null });
    },
    onError: (error) => showFailure("The draft did not run", error),
  });
  const why =
    place === null
      ? "Select a step that a node wrote"
      : errors > 0
        ? "Fix the errors of the draft first"
        : "";
  const keys = useMemo(
    () => [
      {
        keys: "mod+Enter",
        label: "Run from here with this draft",
        whileTyping: true,
        run: () => {
          if (why === "" && place !== null && !isPending) mutate(place);
        },
      },
    ],
    [why, place, isPending, mutate],
  );
  useKeys("Agent editor", keys);
  return (
    <>
      <Select
        aria-label="Model of the run"
        placeholder="The agent's models"
        clearable
        w={170}
        data={optionsOf(models.data ?? [])}
        value={modelId}
        onChange={setModelId}
      />
      <Button
        leftSection={<IconPlayerPlay size={14} />}
        disabled={why !== ""}
        title={why === "" ? "Ctrl or ⌘ Enter" : why}
        loading={isPending}
        onClick={() => place !== null && mutate(place)}
      >
        Run from here with this draft
      </Button>
    </>
  );
}
