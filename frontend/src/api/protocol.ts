/** What comes over the websocket of a job, checked at the edge.
 *
 * `protocol.json` holds the server's own schema; a test compares the two field by field.
 */
import * as v from "valibot";

const numberOrNull = v.nullable(v.number());
const family = v.picklist(["thought", "action", "observation", "control"]);
const writer = v.picklist(["agent", "environment", "person", "import"]);
const jobState = v.picklist([
  "queued",
  "running",
  "waiting",
  "paused",
  "succeeded",
  "failed",
  "cancelled",
]);

const streamedStep = v.object({
  position: v.number(),
  kind: v.string(),
  family,
  writer,
  agent: v.string(),
  node: v.string(),
  prompt_id: v.string(),
  gist: v.string(),
  is_error: v.boolean(),
  is_own: v.boolean(),
  call_id: v.nullable(v.string()),
  input_tokens: numberOrNull,
  cache_read_tokens: numberOrNull,
  output_tokens: numberOrNull,
  cost_micro_usd: numberOrNull,
  duration_seconds: numberOrNull,
  body: v.record(v.string(), v.unknown()),
  edited_by: v.string(),
  created_at: v.string(),
});

const usage = v.object({
  input_tokens: numberOrNull,
  cache_read_tokens: numberOrNull,
  cache_write_tokens: numberOrNull,
  output_tokens: numberOrNull,
  reasoning_tokens: numberOrNull,
});

const breakpoint = v.object({
  kind: v.picklist(["node", "kind", "tool", "condition"]),
  value: v.string(),
});

const control = v.object({
  pause_asked_by: v.string(),
  is_stepping: v.boolean(),
  breakpoints: v.array(breakpoint),
  messages: v.array(
    v.object({ id: v.string(), text: v.string(), by: v.string(), user_id: numberOrNull }),
  ),
  approvals: v.array(v.string()),
});

const seq = v.number();

export const FRAMES = [
  v.object({
    type: v.literal("run.started"),
    seq,
    tape_id: v.string(),
    agent: v.string(),
    step_count: v.number(),
    attempt: v.number(),
    began_at: v.string(),
    seconds_before: v.number(),
  }),
  v.object({
    type: v.literal("node.started"),
    seq,
    agent: v.string(),
    node: v.string(),
    prompt_id: v.string(),
    has_call: v.boolean(),
  }),
  v.object({
    type: v.literal("step.delta"),
    seq,
    prompt_id: v.string(),
    text: v.string(),
    reasoning: v.string(),
    tool_index: numberOrNull,
    tool_name: v.string(),
    tool_arguments: v.string(),
  }),
  v.object({
    type: v.literal("step.partial"),
    seq,
    prompt_id: v.string(),
    text: v.string(),
    tool_name: v.string(),
  }),
  v.object({
    type: v.literal("step.added"),
    seq,
    tape_id: v.string(),
    position: v.number(),
    step: streamedStep,
  }),
  v.object({
    type: v.literal("node.finished"),
    seq,
    agent: v.string(),
    node: v.string(),
    prompt_id: v.string(),
    usage,
    cost_micro_usd: numberOrNull,
    duration_seconds: numberOrNull,
    call_id: v.nullable(v.string()),
    error: v.string(),
  }),
  v.object({
    type: v.literal("job.progress"),
    seq,
    done: v.number(),
    total: numberOrNull,
    message: v.string(),
  }),
  v.object({
    type: v.literal("job.state"),
    seq,
    state: jobState,
    message: v.string(),
    error_code: v.string(),
    cancelled_by: v.string(),
    result: v.nullable(v.record(v.string(), v.unknown())),
  }),
  v.object({
    type: v.literal("job.control"),
    seq,
    control,
    is_cancel_requested: v.boolean(),
    cancelled_by: v.string(),
  }),
  v.object({
    type: v.literal("hello"),
    job_id: v.string(),
    state: jobState,
    last_seq: v.number(),
    pruned_seq: v.number(),
    sent_at: v.string(),
  }),
  v.object({ type: v.literal("ping") }),
] as const;

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
