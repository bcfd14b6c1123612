import { client, unwrap } from "@/api/client";

export function replayTape(tapeId: string) {
  return unwrap(
    client.POST("/api/v1/tapes/{tape_id}/replay", { params: { path: { tape_id: tapeId } } }),
  );
}
