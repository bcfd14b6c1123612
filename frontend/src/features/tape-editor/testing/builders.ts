/** Steps for tests: valid without arguments. */
import type { FamilyMember, LLMCall, OutlineRow, StepData } from "@/api/types";
import type { MessageOf, StreamedStep } from "@/api/protocol";
import { uuid } from "@/testing/builders";

export function buildRow(position: number, values: Partial<OutlineRow> = {}): OutlineRow {
  return {
    position,
    kind: "assistant",
    family: "action",
    writer: "agent",
    agent: "chat",
    node: "answer",
    prompt_id: `prompt-${position}`,
    lane: "",
    gist: `Step ${position}`,
    is_error: false,
    is_own: true,
    call_id: null,
    input_tokens: null,
    cache_read_tokens: null,
    output_tokens: null,
    cost_micro_usd: null,
    duration_seconds: null,
    ...values,
  };
}

export function buildStep(position: number, values: Partial<StreamedStep> = {}): StepData {
  return {
    ...buildRow(position),
    body: { kind: "assistant", content: `Step ${position}` },
    edited_by: "",
    created_at: "2026-01-02T03:04:05Z",
    cut: null,
    ...values,
  };
}

export function buildDelta(
  text: string,
  values: Partial<MessageOf<"step.delta">> = {},
): MessageOf<"step.delta"> {
  return {
    type: "step.delta",
    seq: 1,
    prompt_id: "p",
    text,
    reasoning: "",
    tool_index: null,
    tool_name: "",
    tool_arguments: "",
    ...values,
  };
}

export function buildAdded(
  position: number,
  values: Partial<StreamedStep> = {},
): MessageOf<"step.added"> {
  const step = buildStep(position, { prompt_id: "p", ...values });
  return { type: "step.added", seq: 1, tape_id: "tape", position, step };
}

export function buildStarted(promptId = "p", lane = ""): MessageOf<"node.started"> {
  return {
    type: "node.started",
    seq: 1,
    agent: "chat",
    node: "answer",
    prompt_id: promptId,
    has_call: true,
    lane,
  };
}

const USAGE = {
  input_tokens: 10,
  cache_read_tokens: null,
  cache_write_tokens: null,
  output_tokens: 5,
  reasoning_tokens: null,
  is_estimate: false,
};

export function buildFinished(
  values: Partial<MessageOf<"node.finished">> = {},
): MessageOf<"node.finished"> {
  return {
    type: "node.finished",
    seq: 1,
    agent: "chat",
    node: "answer",
    prompt_id: "p",
    usage: USAGE,
    cost_micro_usd: 7,
    duration_seconds: 1.5,
    call_id: "call",
    error: "",
    ...values,
  };
}

export function buildState(
  state: MessageOf<"job.state">["state"],
  values: Partial<MessageOf<"job.state">> = {},
): MessageOf<"job.state"> {
  return {
    type: "job.state",
    seq: 1,
    state,
    message: "",
    error_code: "",
    cancelled_by: "",
    result: null,
    ...values,
  };
}

export function buildRunStarted(
  values: Partial<MessageOf<"run.started">> = {},
): MessageOf<"run.started"> {
  return {
    type: "run.started",
    seq: 1,
    tape_id: "tape",
    agent: "chat",
    step_count: 4,
    attempt: 1,
    began_at: "2026-01-02T12:00:00Z",
    seconds_before: 0,
    ...values,
  };
}

export function buildHello(values: Partial<MessageOf<"hello">> = {}): MessageOf<"hello"> {
  return {
    type: "hello",
    job_id: "job",
    state: "running",
    last_seq: 9,
    pruned_seq: 0,
    sent_at: "2026-01-02T12:00:00Z",
    ...values,
  };
}

export function buildMember(id: string, values: Partial<FamilyMember> = {}): FamilyMember {
  return {
    id,
    parent_id: null,
    forked_at: null,
    step_count: 10,
    title: id,
    author: "",
    agent_name: "chat",
    edit_words: "",
    cost_micro_usd: 0,
    created_at: `2026-01-0${id.length}T00:00:00Z`,
    is_pinned: false,
    is_archived: false,
    has_error: false,
    is_active: false,
    outcome: "",
    score: null,
    models: [],
    branch: null,
    bands: [],
    families: "",
    edits: [],
    errors: [],
    ...values,
  };
}

export function buildCall(values: Partial<LLMCall> = {}): LLMCall {
  return {
    id: uuid(50),
    prompt_id: "prompt-1",
    model_name: "mini",
    messages: [],
    first_message: 0,
    message_count: 0,
    shared_message_count: 0,
    previous_call_id: null,
    previous_message_count: 0,
    tools: null,
    response_format: null,
    left_out: "",
    chosen: {},
    tokens: null,
    llm: {},
    output: { content: "Hi there" },
    finish_reason: "stop",
    error: "",
    usage: USAGE,
    price_lines: [],
    cost_micro_usd: null,
    is_cached: false,
    started_at: null,
    first_token_seconds: null,
    duration_seconds: null,
    ...values,
  };
}
