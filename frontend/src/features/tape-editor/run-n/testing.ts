/** Experiments for tests: valid without arguments. */
import type { Branch, Experiment, Interval } from "@/api/types";
import { uuid } from "@/testing/builders";

export function buildBranch(number: number, part: Partial<Branch> = {}): Branch {
  return {
    id: uuid(100 + number),
    number,
    tape_id: uuid(200 + number),
    is_deleted: false,
    is_pinned: false,
    job_id: uuid(300 + number),
    job_state: "succeeded",
    state: "succeeded",
    message: "",
    status: "ok",
    started_at: "2026-01-02T12:00:00Z",
    finished_at: "2026-01-02T12:00:04Z",
    arm: "original",
    kept_count: 1,
    recorded_count: 1,
    model_id: null,
    model_name: "",
    temperature: null,
    tokens: 30,
    cost_micro_usd: 0,
    is_cost_known: true,
    step_count: 2,
    spark: "ta",
    last_kind: "assistant",
    outcome: `Answer ${number}`,
    first_divergence: null,
    passed: null,
    score: null,
    judged_as: "",
    judged_by: "",
    reason: "",
    judge_call_id: null,
    asks_next_step: false,
    ...part,
  };
}

export function judgedBranch(number: number, passed: boolean, part: Partial<Branch> = {}): Branch {
  return buildBranch(number, {
    passed,
    score: Number(passed),
    judged_as: "checker",
    judged_by: "contains",
    ...part,
  });
}

export function buildGroup(passed: number, judged: number) {
  const rate: Interval | null =
    judged === 0 ? null : { value: passed / judged, low: 0.1, high: 0.9, count: judged };
  return {
    branch_count: judged,
    judged,
    passed,
    pass_rate: rate,
    score: null,
    steps: 2,
    tokens: 30,
    cost_micro_usd: 0,
  };
}

type ArmSummary = Experiment["summary"]["arms"][number];

export function buildArm(
  arm: ArmSummary["arm"],
  group: ArmSummary["group"],
  part: Partial<ArmSummary> = {},
): ArmSummary {
  return { arm, group, difference: null, score_difference: null, ...part };
}

export function buildExperiment(
  branches: readonly Branch[],
  part: Partial<Experiment> = {},
): Experiment {
  return {
    row: {
      id: uuid(500),
      tape_id: uuid(1),
      batch_id: null,
      revision_id: null,
      owner: "ada",
      name: "",
      arm_words: {},
      branch_count: branches.length,
      unfinished_count: 0,
      passed_count: 0,
      judged_count: 0,
      stopped_reason: "",
      created_at: "2026-01-02T12:00:00Z",
    },
    request: {},
    check: null,
    budget: { tokens: null, micro_usd: null, seconds: null },
    branches: [...branches],
    spent: { tokens: 60, micro_usd: 0 },
    summary: {
      arms: [buildArm("original", buildGroup(0, 0))],
      finding: "",
      best: null,
      conditions: [],
      curve: [],
      is_paired: false,
    },
    ...part,
  };
}
