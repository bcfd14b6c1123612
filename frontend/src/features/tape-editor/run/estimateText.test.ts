import { expect, test } from "vitest";

import type { Estimate } from "@/api/types";
import { estimateLines, estimateText } from "@/features/tape-editor/run/estimateText";

function estimate(part: Partial<Estimate> = {}): Estimate {
  const one = (likely: number) => ({ low: likely / 2, likely, high: likely * 2 });
  return {
    calls: one(4),
    input_tokens: one(4000),
    output_tokens: one(200),
    cost_micro_usd: one(3100),
    seconds: one(12),
    is_per_call: false,
    sample_count: 5,
    basis: "From 5 earlier runs.",
    ...part,
  };
}

test("an estimate says calls, tokens, money and time in a line", () => {
  expect(estimateText(estimate())).toBe("about 4 calls, 4.2k tokens, $0.0031, 12.0 s worked");
});

test("without a basis there are no words, and no number is made up", () => {
  const none = { calls: null, input_tokens: null, output_tokens: null };

  expect(estimateText(estimate({ ...none, cost_micro_usd: null, seconds: null }))).toBe("");
});

test("where nobody knows how many calls there will be, one is told", () => {
  expect(estimateText(estimate({ is_per_call: true, seconds: null }))).toBe(
    "a call: 4.2k tokens, $0.0031",
  );
});

test("an unknown price is left out rather than shown as nothing", () => {
  expect(estimateText(estimate({ cost_micro_usd: null }))).not.toContain("$");
});

test("each line gives the range, or the number alone where there is none", () => {
  const lines = estimateLines(estimate({ seconds: { low: 2, likely: 2, high: 2 } }));

  expect(lines).toContain("Calls: 4 (2 to 8)");
  expect(lines).toContain("Time worked: 2.0 s");
});
