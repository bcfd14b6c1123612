import { expect, test } from "vitest";

import {
  boundsWords,
  pointsBounds,
  pValueWords,
  signedMetric,
  signedPoints,
} from "@/features/batches/metrics";

test.each([
  ["steps", 1.25, "+1.3"],
  ["steps", -0.04, "±0.0"],
  ["cost", -0.002, "−$0.0020"],
  ["tokens", 1200, "+1.2k"],
  ["duration", -1.5, "−1.5 s"],
] as const)("a difference of %s of %f is %s", (metric, value, words) => {
  expect(signedMetric(metric, value)).toBe(words);
});

test("bounds are said where they are known", () => {
  expect(boundsWords("steps", { low: -0.5, high: 2 })).toBe("−0.5 to +2.0");
  expect(boundsWords("steps", { low: null, high: null })).toBe("");
});

test("differences of rates are whole points", () => {
  const interval = { value: 0.1, low: -0.081, high: 0.274, count: 9 };
  expect(pointsBounds(interval)).toBe("−8 to +27");
  expect(signedPoints(0.001)).toBe("±0");
});

test.each([
  [0.0702, "p = 0.070"],
  [0.00001, "p < 0.001"],
  [1, "p = 1.0"],
])("%f is said as %s", (p, words) => {
  expect(pValueWords(p)).toBe(words);
});
