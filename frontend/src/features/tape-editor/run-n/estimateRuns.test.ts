import { expect, test } from "vitest";

import type { Estimate } from "@/api/types";
import { estimateRuns } from "@/features/tape-editor/run-n/estimateRuns";

const NOT_YET = "No estimate: this agent has not run with this model yet.";

function known(tokens: number, cost: number | null): Estimate {
  const one = (likely: number) => ({ low: likely, likely, high: likely });
  return {
    calls: one(1),
    input_tokens: one(tokens),
    output_tokens: one(0),
    cost_micro_usd: cost === null ? null : one(cost),
    seconds: null,
    is_per_call: false,
    sample_count: 1,
    basis: "Based on 1 earlier run with this model.",
  };
}

const UNKNOWN: Estimate = {
  ...known(0, null),
  calls: null,
  input_tokens: null,
  output_tokens: null,
  sample_count: 0,
  basis: NOT_YET,
};

test("each model has its share of the runs at its own numbers", () => {
  expect(estimateRuns([known(1000, 100), known(3000, 500)], 10)).toBe(
    "about 20.0k tokens, $0.0030",
  );
});

test("a model without a price leaves the cost out", () => {
  expect(estimateRuns([known(1000, 100), known(3000, null)], 10)).toBe("about 20.0k tokens");
});

test("a model that the agent has not run with leaves no number", () => {
  expect(estimateRuns([UNKNOWN], 5)).toBe(NOT_YET);
  expect(estimateRuns([known(1000, 100), UNKNOWN], 10)).toBe(
    "No estimate: this agent has not run with all of these models yet.",
  );
});
