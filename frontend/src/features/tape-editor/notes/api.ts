/** The annotations of a tape and its steps: one list for the complete tape. */
import { queryOptions } from "@tanstack/react-query";

import { client, settle, unwrap } from "@/api/client";
import { tapeKeys } from "@/api/tapes";
import type { Annotation, AnnotationIn, AnnotationPatch } from "@/api/types";

const of = (tapeId: string, noteId: string) => ({
  params: { path: { tape_id: tapeId, annotation_id: noteId } },
});

export function notesQuery(tapeId: string) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "annotations"],
    queryFn: async ({ signal }): Promise<Annotation[]> => {
      const path = { params: { path: { tape_id: tapeId } }, signal };
      return (await unwrap(client.GET("/api/v1/tapes/{tape_id}/annotations", path))).items;
    },
  });
}

export type NewNote = Pick<AnnotationIn, "kind"> & Partial<AnnotationIn>;
const EMPTY = { field: "", quote: "", name: "", text: "" };

export function addNote(tapeId: string, note: NewNote) {
  const path = { params: { path: { tape_id: tapeId } } };
  const body = { ...EMPTY, ...note };
  return unwrap(client.POST("/api/v1/tapes/{tape_id}/annotations", { ...path, body }));
}

export function changeNote(tapeId: string, noteId: string, body: AnnotationPatch) {
  const path = "/api/v1/tapes/{tape_id}/annotations/{annotation_id}";
  return unwrap(client.PATCH(path, { ...of(tapeId, noteId), body }));
}

export function deleteNote(tapeId: string, noteId: string) {
  const path = "/api/v1/tapes/{tape_id}/annotations/{annotation_id}";
  return settle(client.DELETE(path, of(tapeId, noteId)));
}

export function restoreNote(tapeId: string, noteId: string) {
  const path = "/api/v1/tapes/{tape_id}/annotations/{annotation_id}/restore";
  return unwrap(client.POST(path, of(tapeId, noteId)));
}
