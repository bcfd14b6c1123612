/** What comes over the websocket of a job, checked at the edge by what the server describes. */
import * as v from "valibot";

import { FRAMES, type streamedStep } from "@/api/protocolSchema";

const serverMessage = v.variant("type", FRAMES);

export type ServerMessage = v.InferOutput<typeof serverMessage>;
export type MessageOf<T extends ServerMessage["type"]> = Extract<ServerMessage, { type: T }>;
export type StreamedStep = v.InferOutput<typeof streamedStep>;

/** Read one frame; `null` for what is none, or of a type that this page does not know. */
export function parseMessage(text: string): ServerMessage | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = v.safeParse(serverMessage, value);
  return parsed.success ? parsed.output : null;
}

/** The number of a frame in the job's log; `null` for one outside it. */
export function sequenceOf(message: ServerMessage): number | null {
  return "seq" in message ? message.seq : null;
}

const FINAL = new Set<string>(["succeeded", "failed", "cancelled"]);

/** After this frame the log grows no more. */
export function isLastMessage(message: ServerMessage): boolean {
  return message.type === "job.state" && FINAL.has(message.state);
}
