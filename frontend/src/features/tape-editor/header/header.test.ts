import { expect, test } from "vitest";

import { buildOutline } from "@/api/outline";
import type { Tape } from "@/api/types";
import { standingOf } from "@/features/tape-editor/header/standing";
import { costText } from "@/features/tape-editor/header/TapeTotals";
import { sumTape } from "@/features/tape-editor/header/totals";
import { buildStep } from "@/features/tape-editor/testing/builders";
import { buildTape } from "@/features/tape-editor/testing/page";
import { uuid } from "@/testing/builders";
import { toColumns } from "@/testing/outline";

const RESTING = { isRunning: false, hasFailed: false, endsWithError: false };
const judged = (part: Partial<Tape>) => buildTape(part);

test("a verdict beats how the run ended, and a run that goes on beats both", () => {
  const tape = judged({ outcome: "pass" });

  expect(standingOf({ ...RESTING, tape, hasFailed: true })).toBe("pass");
  expect(standingOf({ ...RESTING, tape, isRunning: true })).toBe("running");
  expect(standingOf({ ...RESTING, tape, isRunning: true, rests: "waiting" })).toBe("waiting");
  expect(standingOf({ ...RESTING, tape: judged({}) })).toBe("");
  expect(standingOf({ ...RESTING, tape: judged({}), endsWithError: true })).toBe("error");
  expect(standingOf({ ...RESTING, tape: judged({ metadata: { error: "Gone" } }) })).toBe("error");
});

function outlineOf(costs: readonly (number | null)[], streamed: readonly (number | null)[] = []) {
  const step = (cost: number | null, at: number) =>
    buildStep(at, {
      call_id: uuid(200 + at),
      cost_micro_usd: cost,
      input_tokens: 10,
      output_tokens: 1,
      cache_read_tokens: 0,
      duration_seconds: 2,
    });
  const page = { columns: toColumns(costs.map(step)), rows: [] };
  const others = new Map(
    streamed.map((cost, at) => [costs.length + at, step(cost, costs.length + at)]),
  );
  return buildOutline(costs.length + streamed.length, [page], others);
}

const totalsOf = (cost: number, calls: number) =>
  buildTape({
    totals: {
      llm_call_count: calls,
      unpriced_call_count: 0,
      input_tokens: 10 * calls,
      cache_read_tokens: 0,
      output_tokens: calls,
      cost_micro_usd: cost,
      duration_seconds: 2 * calls,
    },
  });

test.each([
  [[500, 700], 1200, "$0.0012"],
  [[500, null], 500, "at least $0.0005"],
  [[null, null], 0, "cost unknown"],
  [[0, 0], 0, "$0"],
])("calls that cost %j are said to cost %s micro-dollars as %s", (costs, cost, said) => {
  const sums = sumTape(totalsOf(cost, costs.length), outlineOf(costs), costs.length);

  expect(sums && costText(sums)).toBe(said);
});

test("totals follow a run: what came over the socket is added to what was read", () => {
  const sums = sumTape(totalsOf(500, 1), outlineOf([500], [700, null]), 1);

  expect(sums).toMatchObject({
    callCount: 3,
    inputTokens: 30,
    outputTokens: 3,
    costMicroUsd: 1200,
    isCostPartial: true,
    workedSeconds: 6,
  });
});
