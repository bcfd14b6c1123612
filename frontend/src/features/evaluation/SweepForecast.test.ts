import { expect, test } from "vitest";

import type { SweepForecast } from "@/api/types";
import { describeForecast, describeRuns } from "@/features/evaluation/SweepForecast";

const UNKNOWN: SweepForecast = {
  run_count: 48,
  there_count: 0,
  new_count: 48,
  tokens: null,
  cost_micro_usd: null,
  seconds: null,
  smallest_difference: null,
  reach: "",
  variants: [],
  left_out: [],
};

test("what nothing is known of is unknown, and not for nothing", () => {
  expect(describeRuns(UNKNOWN)).toBe("48 new runs.");
  expect(describeForecast(UNKNOWN)).toBe("Cost unknown, tokens unknown, time unknown.");
});

test("what earlier runs tell is told with its range", () => {
  const known: SweepForecast = {
    ...UNKNOWN,
    there_count: 24,
    new_count: 24,
    tokens: { low: 900, likely: 1200, high: 1500 },
    cost_micro_usd: { low: 10_000, likely: 20_000, high: 40_000 },
    seconds: { low: 60, likely: 60, high: 60 },
  };

  expect(describeRuns(known)).toBe("48 runs, 24 already there: 24 new.");
  expect(describeForecast(known)).toBe(
    "Cost about $0.0200 ($0.0100 to $0.0400), tokens about 1.2k (900 to 1.5k), " +
      "time 1 min 0 s one run after the other.",
  );
});

test("an amendment that asks for no run says so", () => {
  expect(describeForecast({ ...UNKNOWN, new_count: 0 })).toBe("No new run is needed.");
});
