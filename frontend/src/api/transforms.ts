/** Transforms: the same change to many tapes, previewed, made by a job, undone. */
import { queryOptions } from "@tanstack/react-query";
import * as v from "valibot";

import { client, unwrap } from "@/api/client";
import { ALL_TAPES } from "@/api/tags";
import type { Job, TapeSelection, Transform } from "@/api/types";

export type TransformRequest = Partial<TapeSelection> & { transforms: Transform[] };

/** The transforms that plugins provide. */
export function customTransformsQuery() {
  return queryOptions({
    queryKey: ["transforms"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/transforms", { signal })),
    staleTime: Infinity,
  });
}

/** Preview what would change; nothing is written. */
export function previewTransform(request: TransformRequest) {
  return unwrap(client.POST("/api/v1/transforms/preview", { body: { ...ALL_TAPES, ...request } }));
}

export function startTransform(request: TransformRequest & { batch_name: string }): Promise<Job> {
  return unwrap(client.POST("/api/v1/transforms", { body: { ...ALL_TAPES, ...request } }));
}

/** Remove the tapes that a transform made from the lists. */
export function undoTransform(jobId: string) {
  const path = { job_id: jobId };
  return unwrap(client.POST("/api/v1/transforms/{job_id}/undo", { params: { path } }));
}

const transformResult = v.object({
  batch_id: v.nullable(v.string()),
  batch_name: v.string(),
  tapes: v.number(),
  steps: v.number(),
  unchanged: v.number(),
  left_out: v.array(v.object({ why: v.string(), tape_count: v.number() })),
});

export type TransformResult = v.InferOutput<typeof transformResult>;

/** Read the result of a transform job; `null` when it has none. */
export function readTransformResult(result: unknown): TransformResult | null {
  const parsed = v.safeParse(transformResult, result);
  return parsed.success ? parsed.output : null;
}
