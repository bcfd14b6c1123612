/** Exports: a job writes tapes into a file, which a plain link downloads. */
import * as v from "valibot";

import { client, unwrap } from "@/api/client";
import type { ExportRequest, Job } from "@/api/types";
import { withProject } from "@/lib/project";

/** Start a job that writes the tapes into one file. */
export function startExport(body: ExportRequest): Promise<Job> {
  return unwrap(client.POST("/api/v1/exports", { body }));
}

export function exportFileUrl(jobId: string): string {
  return withProject(`/api/v1/exports/${encodeURIComponent(jobId)}/file`);
}

const exportResult = v.object({
  file_name: v.string(),
  size_bytes: v.number(),
  tapes: v.number(),
  lost: v.optional(v.array(v.object({ what: v.string(), count: v.number() })), []),
  left_out: v.array(v.object({ why: v.string(), tape_count: v.number() })),
  unfit: v.optional(v.array(v.object({ tape_id: v.string(), why: v.string() })), []),
});

export type ExportResult = v.InferOutput<typeof exportResult>;

/** Read the result of an export job; `null` when it has none. */
export function readExportResult(result: unknown): ExportResult | null {
  const parsed = v.safeParse(exportResult, result);
  return parsed.success ? parsed.output : null;
}
