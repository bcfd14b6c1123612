/** Two batches of a few tapes, with the server's comparison of them. */
import type { BatchDiff, BatchTape, BatchTotals, TapePair } from "@/api/types";
import { uuid } from "@/testing/builders";

export function batchTape(part: Partial<BatchTape> = {}): BatchTape {
  return {
    id: uuid(1),
    title: "Is it true?",
    agent_name: "bot",
    task: "t1",
    outcome: "pass",
    score: null,
    step_count: 3,
    error_count: 0,
    tokens: 10,
    cost_micro_usd: 0,
    llm_call_count: 1,
    unpriced_call_count: 0,
    duration_seconds: 0,
    ...part,
  };
}

export function batchTotals(part: Partial<BatchTotals> = {}): BatchTotals {
  return {
    id: uuid(50),
    name: "old run",
    is_search: false,
    tape_count: 2,
    is_cut: false,
    passed_count: 1,
    failed_count: 1,
    pass_rate: { value: 0.5, low: 0.09, high: 0.91, count: 2 },
    means: [{ metric: "steps", mean: { value: 3, low: 1, high: 5, count: 2 } }],
    ...part,
  };
}

const WORSE: TapePair = {
  left: batchTape({ id: uuid(1), task: "t1", title: "First question" }),
  right: batchTape({ id: uuid(2), task: "t1", outcome: "fail" }),
  match: { first_left: 1, first_right: 1, equal: 2, left_only: 1, right_only: 1 },
  left_step: { position: 1, kind: "reasoning_thought", agent: "bot", node: "plan" },
  right_step: { position: 1, kind: "assistant", agent: "bot", node: "answer" },
};
const SAME: TapePair = {
  left: batchTape({ id: uuid(3), task: "t2", title: "Second question", outcome: "fail" }),
  right: batchTape({ id: uuid(4), task: "t2", outcome: "fail" }),
  match: { first_left: null, first_right: null, equal: 3, left_only: 0, right_only: 0 },
  left_step: null,
  right_step: null,
};

export function batchDiff(part: Partial<BatchDiff> = {}): BatchDiff {
  return {
    by: "task",
    is_equal: false,
    left: batchTotals(),
    right: batchTotals({ id: uuid(51), name: "new run" }),
    pairs: [WORSE, SAME],
    left_out: [
      { side: "right", why: "duplicate", tape: batchTape({ id: uuid(5), title: "Twice" }) },
    ],
    transitions: [
      { left: "pass", right: "fail", count: 1 },
      { left: "fail", right: "fail", count: 1 },
    ],
    p_value: 1,
    pass_difference: { value: -0.5, low: -0.9, high: 0.3, count: 2 },
    metrics: [
      {
        metric: "steps",
        left: 3,
        right: 3.5,
        difference: { value: 0.5, low: null, high: null, count: 2 },
      },
    ],
    partings: [
      {
        kind: "reasoning_thought",
        agent: "bot",
        node: "plan",
        count: 1,
        pass_to_fail: 1,
        fail_to_pass: 0,
      },
    ],
    equal_count: 1,
    unmatched_count: 0,
    ...part,
  };
}
