import { expect, test } from "vitest";

import type { SweepReport } from "@/api/types";
import { frontierOf, plotVariants } from "@/features/evaluation/plots";

type Variant = SweepReport["variants"][number];

function variant(letter: string, score: number | null, micro: number, unpriced = 0): Variant {
  const estimate = { value: score ?? 0, low: 0.1, high: 0.9, count: 10 };
  return {
    variant: {
      letter,
      label: letter,
      agent_version_id: "",
      agent_name: "",
      version_number: 1,
      model_id: null,
      model_name: "",
      parameters: {},
    },
    score:
      score === null
        ? null
        : { estimate, method: "wilson", tasks: 10, clusters: 10, missing: 0, left_out: 0 },
    batches: [],
    run_count: 10,
    passed_count: 5,
    failed_count: 5,
    missing_count: 0,
    mean_value: null,
    any_of_attempts: null,
    all_attempts: null,
    vote: null,
    tokens: 0,
    cost_micro_usd: micro,
    llm_call_count: 10,
    unpriced_call_count: unpriced,
    mean_seconds: null,
    difference: null,
    p_value: null,
    sentence: "",
    watched: null,
    steadiness: null,
  };
}

test("the frontier holds what nothing cheaper or as cheap beats", () => {
  const points = plotVariants([
    variant("A", 0.5, 10_000_000),
    variant("B", 0.9, 30_000_000),
    variant("C", 0.4, 20_000_000),
    variant("D", 0.5, 10_000_000),
    variant("E", null, 5_000_000),
    variant("F", 0.95, 1_000_000, 3),
  ]);

  expect(points.map(({ letter, isFrontier }) => [letter, isFrontier])).toEqual([
    ["A", true],
    ["B", true],
    ["C", false],
    ["D", true],
    ["F", false],
  ]);
  expect(points.map(({ cost }) => cost)).toEqual([1, 3, 2, 1, null]);
  expect(frontierOf(points)).toEqual([
    { cost: 1, score: 0.5 },
    { cost: 1, score: 0.5 },
    { cost: 3, score: 0.9 },
  ]);
});
