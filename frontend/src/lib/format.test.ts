import { expect, test } from "vitest";

import {
  countOf,
  formatBytes,
  formatCost,
  formatCostSum,
  formatRate,
  formatRelative,
  formatSeconds,
  formatSpent,
  formatTokens,
  knownCost,
} from "@/lib/format";

test.each([
  [null, "–"],
  [0, "0"],
  [999, "999"],
  [1234, "1.2k"],
  [99_999, "100k"],
  [1_500_000, "1.5M"],
])("%s tokens read %s", (count, text) => {
  expect(formatTokens(count)).toBe(text);
});

test.each([
  [null, "–"],
  [0, "$0"],
  [0.00001, "<$0.0001"],
  [0.0123, "$0.0123"],
  [12.5, "$12.50"],
])("a cost of %s reads %s", (cost, text) => {
  expect(formatCost(cost)).toBe(text);
});

test.each([
  [{ cost_micro_usd: 0, llm_call_count: 0, unpriced_call_count: 0 }, "–", null],
  [{ cost_micro_usd: 0, llm_call_count: 2, unpriced_call_count: 0 }, "$0", 0],
  [{ cost_micro_usd: 0, llm_call_count: 2, unpriced_call_count: 2 }, "unknown", null],
  [{ cost_micro_usd: 12_300, llm_call_count: 2, unpriced_call_count: 1 }, "at least $0.0123", null],
  [{ cost_micro_usd: 12_300, llm_call_count: 2, unpriced_call_count: 0 }, "$0.0123", 0.0123],
])("the cost %o reads %s", (sum, text, whole) => {
  expect(formatCostSum(sum)).toBe(text);
  expect(knownCost(sum)).toBe(whole);
});

test.each([
  [{ cost_micro_usd: 0, llm_call_count: 0, unpriced_call_count: 0 }, "nothing spent"],
  [{ cost_micro_usd: 0, llm_call_count: 2, unpriced_call_count: 2 }, "600 tokens, cost unknown"],
  [
    { cost_micro_usd: 12_300, llm_call_count: 2, unpriced_call_count: 1 },
    "600 tokens, at least $0.0123 spent",
  ],
])("600 tokens at the cost %o read %s", (sum, text) => {
  expect(formatSpent(600, sum)).toBe(text);
});

test.each([
  [0.25, "250 ms"],
  [1.24, "1.2 s"],
  [61, "1 min 1 s"],
  [7260, "2 h 1 min"],
])("%s seconds read %s", (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text);
});

test("a moment is told relative to now", () => {
  const now = new Date("2026-01-02T12:00:00Z");

  expect(formatRelative(new Date("2026-01-02T11:59:50Z"), now)).toBe("just now");
  expect(formatRelative(new Date("2026-01-02T09:00:00Z"), now)).toBe("3h ago");
  expect(formatRelative(new Date("2026-01-01T11:00:00Z"), now)).toBe("yesterday");
});

test("sizes and counts carry their unit", () => {
  expect(formatBytes(1_234_567)).toBe("1.2 MB");
  expect(countOf(1, "tape")).toBe("1 tape");
  expect(countOf(1204, "tape")).toBe("1,204 tapes");
});

test("a rate reads whole per cent with its interval", () => {
  expect(formatRate({ value: 2 / 3, low: 0.051, high: 0.274 })).toBe("67 % (5–27 %)");
});
