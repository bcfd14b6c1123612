/** Generated from protocol.json by `npm run generate`; do not change it here. */

import * as v from "valibot";

export const runStarted = v.object({
  seq: v.number(),
  type: v.literal("run.started"),
  tape_id: v.string(),
  agent: v.string(),
  step_count: v.number(),
  attempt: v.number(),
  began_at: v.string(),
  seconds_before: v.number(),
});

export const nodeStarted = v.object({
  seq: v.number(),
  type: v.literal("node.started"),
  agent: v.string(),
  node: v.string(),
  prompt_id: v.string(),
  has_call: v.boolean(),
  lane: v.string(),
});

export const stepDelta = v.object({
  seq: v.number(),
  type: v.literal("step.delta"),
  prompt_id: v.string(),
  text: v.string(),
  reasoning: v.string(),
  tool_index: v.nullable(v.number()),
  tool_name: v.string(),
  tool_arguments: v.string(),
});

export const stepPartial = v.object({
  seq: v.number(),
  type: v.literal("step.partial"),
  prompt_id: v.string(),
  text: v.string(),
  tool_name: v.string(),
});

export const streamedCut = v.object({ size: v.number(), places: v.array(v.string()) });

export const streamedStep = v.object({
  position: v.number(),
  kind: v.string(),
  family: v.picklist(["thought", "action", "observation", "control"]),
  writer: v.picklist(["agent", "environment", "person", "import"]),
  agent: v.string(),
  node: v.string(),
  prompt_id: v.string(),
  lane: v.string(),
  gist: v.string(),
  is_error: v.boolean(),
  is_own: v.boolean(),
  call_id: v.nullable(v.string()),
  input_tokens: v.nullable(v.number()),
  cache_read_tokens: v.nullable(v.number()),
  output_tokens: v.nullable(v.number()),
  cost_micro_usd: v.nullable(v.number()),
  duration_seconds: v.nullable(v.number()),
  body: v.record(v.string(), v.unknown()),
  edited_by: v.string(),
  created_at: v.string(),
  cut: v.nullable(streamedCut),
});

export const stepAdded = v.object({
  seq: v.number(),
  type: v.literal("step.added"),
  tape_id: v.string(),
  position: v.number(),
  step: streamedStep,
});

export const streamedUsage = v.object({
  input_tokens: v.nullable(v.number()),
  cache_read_tokens: v.nullable(v.number()),
  cache_write_tokens: v.nullable(v.number()),
  output_tokens: v.nullable(v.number()),
  reasoning_tokens: v.nullable(v.number()),
  is_estimate: v.boolean(),
});

export const nodeFinished = v.object({
  seq: v.number(),
  type: v.literal("node.finished"),
  agent: v.string(),
  node: v.string(),
  prompt_id: v.string(),
  usage: streamedUsage,
  cost_micro_usd: v.nullable(v.number()),
  duration_seconds: v.nullable(v.number()),
  call_id: v.nullable(v.string()),
  error: v.string(),
});

export const jobProgress = v.object({
  seq: v.number(),
  type: v.literal("job.progress"),
  done: v.number(),
  total: v.nullable(v.number()),
  message: v.string(),
});

export const jobStateChanged = v.object({
  seq: v.number(),
  type: v.literal("job.state"),
  state: v.picklist(["queued", "running", "waiting", "paused", "succeeded", "failed", "cancelled"]),
  message: v.string(),
  error_code: v.string(),
  cancelled_by: v.string(),
  result: v.nullable(v.record(v.string(), v.unknown())),
});

export const breakpoint = v.object({
  kind: v.picklist(["node", "kind", "tool", "condition"]),
  value: v.string(),
});

export const steerMessage = v.object({
  id: v.string(),
  text: v.string(),
  attachments: v.array(v.record(v.string(), v.unknown())),
  by: v.string(),
  user_id: v.nullable(v.number()),
});

export const jobControl = v.object({
  pause_asked_by: v.string(),
  is_stepping: v.boolean(),
  breakpoints: v.array(breakpoint),
  messages: v.array(steerMessage),
  approvals: v.array(v.string()),
});

export const jobControlChanged = v.object({
  seq: v.number(),
  type: v.literal("job.control"),
  control: jobControl,
  is_cancel_requested: v.boolean(),
  cancelled_by: v.string(),
});

export const hello = v.object({
  type: v.literal("hello"),
  job_id: v.string(),
  state: v.picklist(["queued", "running", "waiting", "paused", "succeeded", "failed", "cancelled"]),
  last_seq: v.number(),
  pruned_seq: v.number(),
  sent_at: v.string(),
});

export const ping = v.object({ type: v.literal("ping") });

export const FRAMES = [
  runStarted,
  nodeStarted,
  stepDelta,
  stepPartial,
  stepAdded,
  nodeFinished,
  jobProgress,
  jobStateChanged,
  jobControlChanged,
  hello,
  ping,
] as const;
