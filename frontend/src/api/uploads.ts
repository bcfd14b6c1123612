/** Uploading files. With XMLHttpRequest, because `fetch` does not report upload progress. */
import * as v from "valibot";

import { ApiError, readCookie, toApiError } from "@/api/client";
import { withProject } from "@/lib/project";

const started = v.object({ id: v.string() });

interface Upload {
  files: readonly File[];
  batch: string;
  /** Share of the bytes sent so far, 0 to 1. */
  onProgress: (share: number) => void;
  signal?: AbortSignal;
}

/** Upload files to be imported and return the id of the job that imports them.
 *
 * @throws ApiError when the server refuses or cannot be reached.
 */
export function uploadFiles({ files, batch, onProgress, signal }: Upload): Promise<string> {
  const body = new FormData();
  for (const file of files) {
    body.append("files", file, file.name);
    // A file's name is sent without its folder, and calls belong to the tapes in the same folder.
    body.append("paths", file.webkitRelativePath || file.name);
  }
  body.append("batch", batch);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", new URL(withProject("/api/v1/uploads"), window.location.origin));
    request.setRequestHeader("X-CSRFToken", readCookie("csrftoken"));
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      const answer = v.safeParse(started, parseJson(request.responseText));
      if (request.status < 300 && answer.success) resolve(answer.output.id);
      else reject(toApiError(parseJson(request.responseText), request.status));
    };
    request.onerror = () =>
      reject(new ApiError("network", "The upload was interrupted. Is Tape Studio running?", 0));
    request.onabort = () => reject(new ApiError("aborted", "The upload was stopped.", 0));
    signal?.addEventListener("abort", () => request.abort());
    request.send(body);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const importResult = v.object({
  batch_id: v.nullable(v.string()),
  batch_name: v.string(),
  imported: v.number(),
  already_there: v.number(),
  llm_calls: v.number(),
  refused: v.array(v.object({ file: v.string(), position: v.string(), reason: v.string() })),
  attacks_left_out: v.optional(v.number(), 0),
  unmapped: v.optional(v.array(v.object({ what: v.string(), tape_count: v.number() })), []),
});

export type ImportResult = v.InferOutput<typeof importResult>;

/** Read the result of an import job; `null` when it has none yet. */
export function readImportResult(result: unknown): ImportResult | null {
  const parsed = v.safeParse(importResult, result);
  return parsed.success ? parsed.output : null;
}
