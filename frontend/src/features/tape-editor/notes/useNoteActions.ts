/** Adds, changes, deletes and restores annotations of the open tape. */
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { showFailure } from "@/api/showFailure";
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
  // Related tapes share steps, so their annotations may be outdated now too.
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: notesQuery(tape.id).queryKey });
    void queries.invalidateQueries({
      queryKey: tapeKeys.all,
      predicate: ({ queryKey }) => queryKey.at(-1) === "annotations",
      refetchType: "none",
    });
  };
  const showError = (error: Error) => showFailure("The annotation was not changed", error);
  const add = useMutation({
    mutationFn: (note: NewNote) => addNote(tape.id, note),
    onSuccess: refresh,
    onError: showError,
  });
  const change = useMutation({
    mutationFn: ({ id, ...body }: AnnotationPatch & { id: string }) =>
      changeNote(tape.id, id, body),
    onSuccess: refresh,
    onError: showError,
  });
  const restore = useMutation({
    mutationFn: (id: string) => restoreNote(tape.id, id),
    onSuccess: refresh,
    onError: showError,
  });
  const remove = useMutation({
    mutationFn: ({ id }: Annotation) => deleteNote(tape.id, id),
    onSuccess: async (_, { id, kind }) => {
      offerUndo(`The ${kind} was deleted`, () => restore.mutate(id));
      await refresh();
    },
    onError: showError,
  });
  return { add, change, remove };
}
