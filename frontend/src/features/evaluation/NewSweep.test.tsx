import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import { EvaluationPage } from "@/features/evaluation/EvaluationPage";
import {
  datasetOf,
  findScorerProblem,
  NO_SCORER,
  readScoring,
} from "@/features/evaluation/scorerDraft";
import { describeSize, EMPTY_SWEEP, readSweep } from "@/features/evaluation/sweepDraft";
import { answer, record, refuse } from "@/testing/answers";
import { agentRow, job, model, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";
import { answerWithSweep } from "@/features/evaluation/sweepExample";

beforeEach(answerWithSweep);

test("a model that leads to a new sweep is chosen beside the agents' own", async () => {
  server.use(
    answer("get", "/datasets/names", []),
    answer("get", "/models", [model({ id: uuid(92), name: "keeper" })]),
  );
  renderScreen({
    path: "/evaluation",
    element: <EvaluationPage />,
    at: `/evaluation?new=sweep&name=keeper&model=${uuid(92)}`,
  });

  const form = within(await screen.findByRole("dialog", { name: "New sweep" }));
  expect(await form.findByText("Agent default")).toBeVisible();
  expect(form.getByText("keeper")).toBeVisible();
  expect(form.getByRole("textbox", { name: "Name" })).toHaveValue("keeper");
});

test("a form starts one, says how many runs that is and what is missing in it", async () => {
  const started = record("post", "/sweeps", job({ kind: "sweep" }), 202);
  server.use(started.handler, answer("get", "/datasets/names", []));
  const { user, address } = renderScreen({
    path: "/evaluation",
    element: <EvaluationPage />,
    at: "/evaluation?new=sweep&q=dataset:math-test",
  });

  expect(await screen.findByText("Give it a name.")).toBeInTheDocument();
  await user.type(screen.getByRole("textbox", { name: "Name" }), "prompts");
  expect(screen.getByText("Choose an agent and a model.")).toBeInTheDocument();
  await user.click(screen.getByRole("combobox", { name: "Agents" }));
  await user.click(await screen.findByRole("option", { name: "math" }));
  await user.type(screen.getByRole("textbox", { name: "Seeds" }), "1, 2, 3");
  expect(await screen.findByText("1 variant × 3 attempts × 5 tasks = 15 runs")).toBeVisible();
  await waitFor(() => expect(screen.getByRole("button", { name: "Start sweep" })).toBeEnabled());
  await user.click(screen.getByRole("button", { name: "Start sweep" }));

  expect(started.requests[0]?.body).toEqual({
    name: "prompts",
    q: "dataset:math-test",
    variants: [{ agent_version_id: uuid(41), model_id: null }],
    seeds: [1, 2, 3],
    repeats: 1,
    scoring: null,
    tools: { default: "live" },
    max_turns: 50,
    budget: {},
  });
  expect(address()).toBe(`/evaluation/${uuid(100)}`);
});

test("a sweep that cannot keep its limit is told so at the field, and cannot be started", async () => {
  const sentence = "The price of the model 'own' is unknown.";
  server.use(
    refuse("post", "/sweeps/preview", sentence, 422, { field: "budget.micro_usd" }),
    answer("get", "/datasets/names", []),
  );
  const { user } = renderScreen({
    path: "/evaluation",
    element: <EvaluationPage />,
    at: "/evaluation?new=sweep&q=dataset:math-test&name=prompts",
  });
  await user.click(await screen.findByRole("combobox", { name: "Agents" }));
  await user.click(await screen.findByRole("option", { name: "math" }));
  await user.type(screen.getByRole("textbox", { name: "Max cost" }), "5");

  await waitFor(() => expect(screen.getByRole("textbox", { name: "Max cost" })).toBeInvalid());
  expect(screen.getByRole("button", { name: "Start sweep" })).toBeDisabled();
});

test("two versions of one agent are compared, the older one as the baseline", async () => {
  const started = record("post", "/sweeps", job({ kind: "sweep" }), 202);
  const versions = [
    { id: uuid(42), number: 2 },
    { id: uuid(41), number: 1 },
  ];
  const agent = agentRow({ name: "math", numbered_versions: versions });
  server.use(
    started.handler,
    answer("get", "/datasets/names", []),
    answer("get", "/agents", [agent]),
  );
  const { user } = renderScreen({
    path: "/evaluation",
    element: <EvaluationPage />,
    at: "/evaluation?new=sweep&q=dataset:math-test&name=prompts",
  });

  const field = await screen.findByRole("combobox", { name: "Agents" });
  for (const name of ["math v1", "math v2"]) {
    await user.click(field);
    await user.click(await screen.findByRole("option", { name }));
  }
  await waitFor(() => expect(screen.getByRole("button", { name: "Start sweep" })).toBeEnabled());
  await user.click(screen.getByRole("button", { name: "Start sweep" }));

  const variants = [uuid(41), uuid(42)].map((id) => ({ agent_version_id: id, model_id: null }));
  await waitFor(() => expect(started.requests[0]?.body).toMatchObject({ variants }));
});

test("a draft that is too large, or whose seeds are words, says so", () => {
  const draft = { ...EMPTY_SWEEP, name: "n", query: "q", agents: ["a"] };

  expect(readSweep({ ...draft, seeds: "one" })).toEqual({
    problem: "Enter seeds as numbers, such as 1, 2, 3.",
  });
  const many = Array.from({ length: 13 }, (_, at) => String(at));
  expect(readSweep({ ...draft, agents: many })).toEqual({
    problem: "That would be 13 variants; a sweep has at most 12.",
  });
  expect(describeSize({ ...draft, repeats: 2 }, 10)).toBe(
    "1 variant × 2 attempts × 10 tasks = 20 runs",
  );
});

test("what decides a new sweep is read from the form, a scorer of the dataset too", () => {
  const kept = [
    {
      id: uuid(71),
      name: "Same",
      scorer: { kind: "equals" as const, ignores_case: false },
      words: "",
      created_at: "2026-01-02T12:00:00Z",
    },
  ];
  const number = { ...NO_SCORER, kind: "number", within: "0.5" };

  expect(readScoring(NO_SCORER, kept)).toBeNull();
  expect(readScoring({ ...NO_SCORER, kind: `kept:${uuid(71)}` }, kept)?.scorer).toEqual(
    kept[0]?.scorer,
  );
  expect(readScoring(number, kept)?.scorer).toEqual({ kind: "number", within: 0.5 });
  expect(readScoring({ ...NO_SCORER, kind: "math" }, kept)?.scorer).toEqual({
    kind: "function",
    name: "math",
  });
  expect(findScorerProblem({ ...number, within: "much" })).toContain("0 or more");
  expect(findScorerProblem({ ...NO_SCORER, kind: "check" })).not.toBe("");
  const lint = { ...NO_SCORER, kind: "lint" };
  expect(findScorerProblem(lint)).toBe("Choose a detector or a rule.");
  expect(readScoring({ ...lint, detector: "rule:mute" }, kept)?.scorer).toEqual({
    kind: "lint",
    detector: "rule:mute",
    rule: "",
  });
  const pairwise = { ...NO_SCORER, kind: "pairwise" };
  expect(findScorerProblem(pairwise)).toBe("Choose the judge model.");
  const judged = { ...NO_SCORER.check, judgeId: uuid(31), rubric: "Which is right?" };
  expect(readScoring({ ...pairwise, check: judged }, kept)?.scorer).toEqual({
    kind: "pairwise",
    model_id: uuid(31),
    rubric: "Which is right?",
  });
  const own = { ...NO_SCORER, kind: "function" };
  expect(findScorerProblem(own)).toBe("Choose a function.");
  expect(readScoring({ ...own, functionName: "polite" }, kept)?.scorer).toEqual({
    kind: "function",
    name: "polite",
  });
  const names = [{ id: uuid(60), name: "the exam", has_tape: false }];
  expect(datasetOf('split:test dataset:"the exam@2"', names)).toBe(uuid(60));
  expect(datasetOf("dataset:other", names)).toBeNull();
});
