import { expect, test } from "vitest";

import type { SweepCard } from "@/api/types";
import { listParts } from "@/features/evaluation/SweepCard";
import { uuid } from "@/testing/builders";

test("a card tells all that has a hash, a model of two variants once", () => {
  const model = { name: "small", litellm_model: "openai/small", parameters: {}, digest: "m" };
  const pin = { agent: "math", version: 3, digest: "a", model: null, models: [model] };
  const card: SweepCard = {
    format: "tape-studio/sweep-card@1",
    studio: "0.1.0",
    name: "exam",
    variants: [
      { pin, parameters: {} },
      { pin: { ...pin, version: 4, digest: "b" }, parameters: {} },
    ],
    seeds: [1],
    datasets: [{ name: "math-test", version: 2, digest: "d" }],
    tasks: [{ tape_ids: [uuid(1), uuid(2)], digest: "t" }],
    scoring: null,
    judge: null,
    tools: { default: "live" },
    max_turns: 20,
    concurrency: null,
    budget: {},
    digest: "c",
  };

  expect(listParts(card).map(({ what, name, digest }) => `${what} ${name} ${digest}`)).toEqual([
    "Card studio 0.1.0 c",
    "Agent math v3 a",
    "Agent math v4 b",
    "Model small m",
    "Dataset math-test@2 d",
    "Tasks 2 tasks t",
  ]);
});
