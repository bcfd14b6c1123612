/** Valid server answers as defaults: a test spells out only what it is about. */
import type {
  AgentDetail,
  AgentRow,
  AgentVersion,
  KeyStep,
  Job,
  Model,
  Rerun,
  RunResult,
  Session,
  TapePreview,
  TapeRow,
} from "@/api/types";

export function uuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

export const MOMENT = "2026-01-02T12:00:00Z";

export function tapeRow(part: Partial<TapeRow> = {}): TapeRow {
  return {
    id: uuid(1),
    title: "What is 17 * 23?",
    agent_name: "chat",
    author: "",
    batch_id: null,
    batch_name: "",
    parent_id: null,
    step_count: 4,
    error_count: 0,
    has_error: false,
    is_pinned: false,
    is_archived: false,
    is_kept_from_training: false,
    split: "",
    tags: [],
    totals: {
      llm_call_count: 1,
      unpriced_call_count: 0,
      input_tokens: 1200,
      cache_read_tokens: 0,
      output_tokens: 34,
      cost_micro_usd: 12_300,
      duration_seconds: 1.5,
    },
    task: "",
    expected: "",
    actual: "",
    outcome: "",
    score: null,
    created_at: MOMENT,
    updated_at: MOMENT,
    active_job_id: null,
    snippet: [],
    ...part,
  };
}

export function tapePreview(part: Partial<TapePreview> = {}): TapePreview {
  return { tape: tapeRow(), agent_version: 3, findings: [], first_error: null, steps: [], ...part };
}

export function keyStep(position: number, part: Partial<KeyStep> = {}): KeyStep {
  return {
    position,
    kind: "assistant",
    family: "action",
    agent: "chat",
    node: "answer",
    gist: `gist ${position}`,
    is_error: false,
    excerpt: `words ${position}`,
    is_cut: false,
    has_image: false,
    ...part,
  };
}

export function session(part: Partial<Session> = {}): Session {
  return {
    user: "ada",
    role: "owner",
    can_write: part.role !== "viewer",
    project: "Ours",
    project_id: uuid(9),
    projects: [],
    has_accounts: true,
    version: "1",
    ...part,
  };
}

export function job(part: Partial<Job> = {}): Job {
  return {
    id: uuid(100),
    kind: "run",
    state: "running",
    title: "What is 17 * 23?",
    tape_id: uuid(1),
    batch_id: null,
    message: "",
    unheard_queue: "",
    group: null,
    error_code: "",
    progress_done: 0,
    progress_total: null,
    is_cancel_requested: false,
    cancelled_by: "",
    attempt: 1,
    last_seq: 0,
    result: null,
    run: null,
    control: {
      pause_asked_by: "",
      is_stepping: false,
      breakpoints: [],
      messages: [],
      approvals: [],
    },
    created_at: MOMENT,
    started_at: MOMENT,
    finished_at: null,
    ...part,
  };
}

export function runResult(part: Partial<RunResult> = {}): RunResult {
  return {
    status: "ok",
    step_count: 2,
    new_step_count: 1,
    refused_call: null,
    tokens: 220,
    input_tokens: 200,
    cache_read_tokens: 0,
    output_tokens: 20,
    cost_micro_usd: 250,
    seconds: 2,
    call_count: 1,
    cached_call_count: 0,
    asks: null,
    hit: null,
    cut_off: null,
    cut_actions: [],
    code_lines: [],
    ...part,
  };
}

export function model(part: Partial<Model> = {}): Model {
  return {
    id: uuid(200),
    name: "mini",
    litellm_model: "openai/gpt-4o-mini",
    base_url: "",
    api_key_env: "OPENAI_API_KEY",
    has_api_key: true,
    parameters: {},
    input_price: 150_000,
    cache_read_price: null,
    cache_write_price: null,
    output_price: 600_000,
    silence_seconds: null,
    deadline_seconds: null,
    max_attempts: null,
    record_tokens: false,
    is_served_here: false,
    key_retired_at: null,
    created_at: MOMENT,
    ...part,
  };
}

export function agentVersion(part: Partial<AgentVersion> = {}): AgentVersion {
  return {
    id: uuid(310),
    number: 1,
    digest: "9f31ab0c",
    created_at: MOMENT,
    needs_model: false,
    tool_rules: [],
    note: "",
    saved_by: "",
    is_trial: false,
    spec: {
      name: "analyst",
      description: "",
      llms: { default: { model: "script:analyst", parameters: {} } },
      templates: { system: "You are an analyst." },
      nodes: [{ type: "Plan", settings: { name: "plan", guidance: "Write a plan." } }],
      subagents: [
        {
          name: "search_helper",
          description: "",
          llms: {},
          templates: {},
          nodes: [],
          subagents: [],
          environment: "",
          max_iterations: 100,
        },
      ],
      environment: "analyst_tools",
      max_iterations: 100,
    },
    ...part,
  };
}

export function agentRow(part: Partial<AgentRow> = {}): AgentRow {
  const { latest_version_id: id = uuid(310), latest_version: number = 1 } = part;
  return {
    id: uuid(300),
    name: "analyst",
    description: "Answers questions about prices.",
    latest_version_id: id,
    latest_version: number,
    published_version: null,
    default_version_id: uuid(310),
    version_count: 1,
    numbered_versions: [{ id, number }],
    created_at: MOMENT,
    ...part,
  };
}

export function agentDetail(part: Partial<AgentDetail> = {}): AgentDetail {
  return {
    ...agentRow(),
    versions: [agentVersion()],
    tools: [
      {
        name: "get_price",
        description: "Price of a ticker.",
        parameters: {},
        is_irreversible: false,
      },
    ],
    publications: [],
    ...part,
  };
}

/** A rerun of two tapes, one of which has finished. */
export function rerun(part: Partial<Rerun> = {}): Rerun {
  const none = {
    queued: 0,
    running: 0,
    waiting: 0,
    paused: 0,
    succeeded: 0,
    failed: 0,
    cancelled: 0,
    out_of_budget: 0,
  };
  return {
    id: uuid(60),
    state: "running",
    message: "",
    batch_id: uuid(60),
    batch_name: "after",
    tape_count: 2,
    done_count: 1,
    states: { ...none, running: 1, succeeded: 1 },
    spent: { tokens: 600, micro_usd: 6_000 },
    llm_call_count: 3,
    unpriced_call_count: 0,
    budget: { tokens: 5000, micro_usd: null, seconds: null },
    stopped_reason: "",
    left_out: [],
    sources: [{ id: uuid(50), name: "before", tape_count: 3 }],
    pair_key: "task",
    ...part,
  };
}
