/** Saves the draft as the agent's next version, with a note; shows what it changes. */
import { Alert, Button, Group, Modal, Textarea } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { loadChanges, saveVersion } from "@/api/agentDrafts";
import { agentKeys } from "@/api/agents";
import { ApiError, describeError } from "@/api/client";
import classes from "@/features/agent-editor/agentEditor.module.css";
import type { DraftEditor } from "@/features/agent-editor/draft/draftEditor";
import { EDITED_VERSION, useAgentEditor, useEdited } from "@/features/agent-editor/editorContext";
import { countOf } from "@/lib/format";
import { useFocusBack } from "@/lib/useFocusBack";
import { SpecFields } from "@/ui/fields/SpecFields";

export function SaveVersionDialog({ onClose }: { onClose: () => void }) {
  const { agent, editor } = useAgentEditor();
  const queries = useQueryClient();
  useFocusBack(EDITED_VERSION);
  const [note, setNote] = useState("");
  const serial = useEdited((draft) => draft.serial);
  const base = useEdited(({ stored }) => stored.base);
  const save = useMutation({
    mutationFn: async (ignoresNewer: boolean) => {
      const revision = await storedRevision(editor);
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
  const changes = useQuery({
    queryKey: ["agent-draft-changes", agent.id, serial],
    queryFn: async () => loadChanges(agent.id, await storedRevision(editor)),
    // Once it is saved, nothing differs any more.
    enabled: !save.isPending && !save.isSuccess,
    gcTime: 0,
    retry: false,
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
          maxLength={1000}
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
            {changes.data === undefined
              ? changes.isError
                ? describeError(changes.error)
                : `Comparing with version ${base.number}…`
              : changes.data.length === 0
                ? `Nothing differs from version ${base.number}`
                : `${countOf(changes.data.length, "change")} since version ${base.number}`}
          </h3>
          <SpecFields fields={changes.data ?? []} isUnified />
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

/** The revision of the draft on the server, once everything that was typed is there. */
async function storedRevision(editor: DraftEditor): Promise<number> {
  if (!(await editor.flush())) throw new Error("The draft is not saved yet.");
  return editor.store.getState().stored.revision;
}
