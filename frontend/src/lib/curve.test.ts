import { expect, test } from "vitest";

import { roundTicks, thinOut } from "@/lib/curve";

test("a long curve keeps its peaks and its order", () => {
  const points = Array.from({ length: 10_000 }, (_, x) => ({ x, y: x === 7777 ? 99 : x % 3 }));

  const thinned = thinOut(points, 200);

  expect(thinned.length).toBeLessThanOrEqual(200);
  expect(thinned).toContainEqual({ x: 7777, y: 99 });
  expect(thinned).toEqual(thinned.toSorted((one, other) => one.x - other.x));
  expect(thinOut(points.slice(0, 5), 200)).toEqual(points.slice(0, 5));
});

test("ticks are round and stand between the ends", () => {
  expect(roundTicks(0, 2.3)).toEqual([0, 1, 2]);
  expect(roundTicks(0.00012, 0.00048)).toEqual([0.0002, 0.0003, 0.0004]);
  expect(roundTicks(3, 3)).toEqual([3]);
});
