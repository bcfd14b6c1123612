/** Files of examples: uploading one, previewing it with a mapping, importing it into a dataset. */
import { queryOptions, skipToken, useMutation } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import type { ExampleMapping } from "@/api/types";

const of = (fileId: string) => ({ params: { path: { file_id: fileId } } });

export function useSendFile() {
  return useMutation({
    mutationFn: (file: File) => {
      const form = new FormData();
      form.append("file", file, file.name);
      return unwrap(
        client.POST("/api/v1/example-files", {
          body: { file: file.name },
          bodySerializer: () => form,
        }),
      );
    },
  });
}

export function exampleFileQuery(fileId: string) {
  return queryOptions({
    queryKey: ["example-files", fileId],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/example-files/{file_id}", { ...of(fileId), signal })),
    staleTime: Infinity,
  });
}

/** What the first rows would become; `null` while no column is chosen as the message. */
export function previewQuery(fileId: string, mapping: ExampleMapping | null) {
  return queryOptions({
    queryKey: ["example-files", fileId, "preview", mapping],
    queryFn:
      mapping === null
        ? skipToken
        : ({ signal }) =>
            unwrap(
              client.POST("/api/v1/example-files/{file_id}/preview", {
                ...of(fileId),
                body: mapping,
                signal,
              }),
            ),
    placeholderData: (before) => before,
  });
}

interface Import {
  dataset: string;
  mapping: ExampleMapping;
}

export function useImportExamples(fileId: string) {
  return useMutation({
    mutationFn: (body: Import) =>
      unwrap(client.POST("/api/v1/example-files/{file_id}/import", { ...of(fileId), body })),
  });
}

export function importedQuery(jobId: string, isOver: boolean) {
  return queryOptions({
    queryKey: ["example-files", "imports", jobId],
    queryFn: isOver
      ? ({ signal }) =>
          unwrap(
            client.GET("/api/v1/example-files/imports/{job_id}", {
              params: { path: { job_id: jobId } },
              signal,
            }),
          )
      : skipToken,
  });
}
