/** Starts the improver on the open tape, on a model of the person's choice. */
import { Button, Modal, Select } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { IconWand } from "@tabler/icons-react";
import { useState } from "react";
import { useNavigate } from "react-router";

import { describeError } from "@/api/client";
import { jobKeys } from "@/api/jobs";
import { modelsQuery } from "@/api/models";
import { improveTape, tapeKeys } from "@/api/tapes";
import { useTapeModel } from "@/features/tape-editor/editor";
import { optionsOf } from "@/lib/options";

interface ImproveDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

export function ImproveDialog({ isOpen, onClose }: ImproveDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Improve this tape" size={480}>
      <ImproveForm onDone={onClose} />
    </Modal>
  );
}

function ImproveForm({ onDone }: { onDone: () => void }) {
  const { tape } = useTapeModel();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const models = useQuery(modelsQuery());
  const [modelId, setModelId] = useState<string | null>(null);
  const improve = useMutation({
    mutationFn: () => improveTape(tape.id, modelId),
    onSuccess: ({ tape_id: made }) => {
      void queries.invalidateQueries({ queryKey: tapeKeys.lists });
      void queries.invalidateQueries({ queryKey: jobKeys.all });
      onDone();
      void navigate(`/t/${made}`);
    },
  });
  return (
    <form
      className="ts-stack"
      aria-label="Improve this tape"
      onSubmit={(event) => {
        event.preventDefault();
        if (!improve.isPending) improve.mutate();
      }}
    >
      <p className="ts-hint">
        The improver reads the recorded steps, names the first that went wrong, and rewrites it, on
        a tape of its own. From there, you write the revision into a fork of this tape.
      </p>
      <Select
        label="Model"
        description="Without one, a script answers, which only knows tapes of the agent math."
        placeholder="Agent default"
        searchable
        clearable
        data={optionsOf(models.data ?? [])}
        value={modelId}
        onChange={setModelId}
      />
      {improve.isError && <p role="alert">{describeError(improve.error)}</p>}
      <Button
        type="submit"
        data-autofocus
        style={{ alignSelf: "flex-end" }}
        leftSection={<IconWand size={14} />}
        loading={improve.isPending}
      >
        Improve
      </Button>
    </form>
  );
}
