/** Saves the draft as the agent's next version, with a note; shows what it changes. */
import { Alert, Button, Group, Modal, Textarea } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";

import { saveVersion } from "@/api/agentDrafts";
import { agentKeys } from "@/api/agents";
import { ApiError, describeError } from "@/api/client";
import classes from "@/features/agent-editor/agentEditor.module.css";
import { diffSpecs } from "@/features/agent-editor/draft/specDiff";
import { useAgentEditor, useEdited } from "@/features/agent-editor/editorContext";
import { countOf } from "@/lib/format";
import { FieldList } from "@/ui/fields/FieldList";

export function SaveVersionDialog({ onClose }: { onClose: () => void }) {
  const { agent, editor } = useAgentEditor();
  const queries = useQueryClient();
  const [note, setNote] = useState("");
  const spec = useEdited((draft) => draft.spec);
  const base = useEdited(({ stored }) => stored.base);
  const before = agent.versions.find(({ id }) => id === base.version_id)?.spec;
  const fields = useMemo(
    () => (before === undefined ? [] : diffSpecs(before, spec)),
    [before, spec],
  );
  const save = useMutation({
    mutationFn: async (ignoresNewer: boolean) => {
      if (!(await editor.flush())) throw new Error("The draft is not saved yet.");
      const { revision } = editor.store.getState().stored;
      const version = await saveVersion(agent.id, revision, note, ignoresNewer);
      await editor.loadTheirs();
      return version;
    },
    onSuccess: async ({ number }) => {
      await queries.invalidateQueries({ queryKey: agentKeys.all });
      notifications.show({ message: `Saved as version ${number}.` });
      onClose();
    },
  });
  const isOutdated = save.error instanceof ApiError && save.error.code === "draft_outdated";
  return (
    <Modal opened onClose={onClose} title="Save as version" size="min(900px, calc(100vw - 64px))">
      <form
        className="ts-stack"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(isOutdated);
        }}
      >
        <Textarea
          label="Note"
          description="What is better now, for those who read the list of versions"
          placeholder="Looks the order up before it answers"
          autosize
          minRows={2}
          maxRows={6}
          maxLength={2000}
          data-autofocus
          value={note}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            if (!save.isPending) save.mutate(isOutdated);
          }}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <section className={classes.diff} aria-label={`Changes since version ${base.number}`}>
          <h3>
            {fields.length === 0
              ? `Nothing differs from version ${base.number}`
              : `${countOf(fields.length, "change")} since version ${base.number}`}
          </h3>
          <FieldList fields={fields} isUnified />
        </section>
        {save.isError && (
          <Alert color="red" title="Not saved" role="alert">
            {describeError(save.error)}
          </Alert>
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {isOutdated ? "Save anyway" : "Save"}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
