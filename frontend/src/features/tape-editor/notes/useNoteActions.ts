/** Saying something about the open tape, changing it and taking it back. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { notifications } from "@mantine/notifications";

import { describeError } from "@/api/client";
import type { Annotation, AnnotationPatch } from "@/api/types";
import { tapeKeys } from "@/api/tapes";
import {
  addNote,
  changeNote,
  deleteNote,
  type NewNote,
  notesQuery,
  restoreNote,
} from "@/features/tape-editor/notes/api";
import { useTapeModel } from "@/features/tape-editor/editor";
import { offerUndo } from "@/ui/undoToast";

export function useNoteActions() {
  const { tape } = useTapeModel();
  const queries = useQueryClient();
  // Relatives share steps, so what they show may be older now too.
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: notesQuery(tape.id).queryKey });
    void queries.invalidateQueries({
      queryKey: tapeKeys.all,
      predicate: ({ queryKey }) => queryKey.at(-1) === "annotations",
      refetchType: "none",
    });
  };
  const tell = (error: Error) => {
    notifications.show({ message: describeError(error), color: "red" });
  };
  const add = useMutation({
    mutationFn: (note: NewNote) => addNote(tape.id, note),
    onSuccess: refresh,
    onError: tell,
  });
  const change = useMutation({
    mutationFn: ({ id, ...body }: AnnotationPatch & { id: string }) =>
      changeNote(tape.id, id, body),
    onSuccess: refresh,
    onError: tell,
  });
  const restore = useMutation({
    mutationFn: (id: string) => restoreNote(tape.id, id),
    onSuccess: refresh,
    onError: tell,
  });
  const remove = useMutation({
    mutationFn: ({ id }: Annotation) => deleteNote(tape.id, id),
    onSuccess: async (_, { id, kind }) => {
      offerUndo(`The ${kind} was deleted`, () => restore.mutate(id));
      await refresh();
    },
    onError: tell,
  });
  return { add, change, remove };
}
