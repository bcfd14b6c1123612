import * as v from "valibot";

import { ApiError, client, unwrap } from "@/api/client";

/** Without a version, the one that wrote the tape replays. */
export function replayTape(tapeId: string, versionId?: string) {
  return unwrap(
    client.POST("/api/v1/tapes/{tape_id}/replay", {
      params: { path: { tape_id: tapeId } },
      ...(versionId === undefined ? {} : { body: { agent_version_id: versionId } }),
    }),
  );
}

const alike = v.object({
  nearest: v.array(
    v.object({
      agent_version_id: v.string(),
      name: v.string(),
      number: v.number(),
      overlap: v.number(),
    }),
  ),
});

export type AlikeAgent = v.InferOutput<typeof alike>["nearest"][number];

/** The agents that can replay instead when the writer of the tape is unknown; otherwise `null`. */
export function readAlike(error: unknown): AlikeAgent[] | null {
  if (!(error instanceof ApiError) || error.code !== "writer_unknown") return null;
  const parsed = v.safeParse(alike, error.details);
  return parsed.success ? parsed.output.nearest : [];
}
