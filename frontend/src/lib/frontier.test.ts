import { expect, test } from "vitest";

import { frontierOf, isOnFrontier } from "@/lib/frontier";

test("the frontier holds what nothing cheaper or as cheap beats", () => {
  const points = [
    { name: "A", score: 0.5, cost: 1 },
    { name: "B", score: 0.9, cost: 3 },
    { name: "C", score: 0.4, cost: 2 },
    { name: "D", score: 0.5, cost: 1 },
  ];

  expect(points.map((point) => isOnFrontier(point, points))).toEqual([true, true, false, true]);
  expect(frontierOf(points).map(({ name }) => name)).toEqual(["A", "D", "B"]);
});
