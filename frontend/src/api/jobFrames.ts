/** What a job's frames say about the job itself. Pure functions. */
import * as v from "valibot";

import { isFinished } from "@/api/jobs";
import type { ServerMessage } from "@/api/protocol";
import type { Job, RunResult } from "@/api/types";

/** The job after a message; messages that the job already includes are ignored. */
export function applyToJob(job: Job, message: ServerMessage): Job {
  if (!("seq" in message) || message.seq <= job.last_seq) return job;
  switch (message.type) {
    case "job.progress":
      return {
        ...job,
        progress_done: message.done,
        progress_total: message.total,
        message: message.message,
        last_seq: message.seq,
      };
    case "job.state":
      return {
        ...job,
        // A finished job without its result would look complete, so the end is read with the job.
        state: isFinished(message.state) && message.result === null ? job.state : message.state,
        message: message.message,
        error_code: message.error_code,
        cancelled_by: message.cancelled_by,
        result: message.result ?? job.result,
        run: (job.kind === "run" ? readRunResult(message.result) : null) ?? job.run,
        last_seq: message.seq,
      };
    case "job.control":
      return {
        ...job,
        control: message.control,
        is_cancel_requested: message.is_cancel_requested,
        cancelled_by: message.cancelled_by,
        last_seq: message.seq,
      };
    case "run.started":
    case "node.started":
    case "step.delta":
    case "step.partial":
    case "step.added":
    case "node.finished":
      return job;
  }
}

const count = v.number();
const asks = v.object({
  position: count,
  kind: v.string(),
  tool: v.string(),
  call_id: v.string(),
  message: v.string(),
  data_schema: v.nullable(v.record(v.string(), v.unknown())),
  answer_kind: v.string(),
  can_approve: v.boolean(),
});

const runResult: v.GenericSchema<unknown, RunResult> = v.object({
  status: v.picklist([
    "ok",
    "finished",
    "no_actions",
    "external_input_needed",
    "unknown_action",
    "loop_limit",
    "until",
    "budget",
    "paused",
    "error",
    "cancelled",
    "unopened",
  ]),
  step_count: count,
  new_step_count: count,
  tokens: count,
  input_tokens: count,
  cache_read_tokens: count,
  output_tokens: count,
  cost_micro_usd: v.nullable(count),
  seconds: count,
  call_count: count,
  cached_call_count: count,
  asks: v.nullable(asks),
  hit: v.nullable(
    v.object({
      kind: v.picklist(["node", "kind", "tool", "condition"]),
      value: v.string(),
      position: count,
    }),
  ),
  cut_off: v.nullable(v.object({ call_id: v.string(), agent: v.string(), node: v.string() })),
  refused_call: v.optional(v.nullable(v.object({ tokens: count, micro_usd: count })), null),
  cut_actions: v.array(
    v.object({
      position: count,
      tool: v.string(),
      call_id: v.string(),
      is_left_behind: v.boolean(),
    }),
  ),
  code_lines: v.array(
    v.object({ file: v.string(), line: count, function: v.string(), code: v.string() }),
  ),
});

/** The result of a run; `null` when there is none or this page cannot read it. */
function readRunResult(result: unknown): RunResult | null {
  const read = v.safeParse(runResult, result);
  return read.success ? read.output : null;
}
