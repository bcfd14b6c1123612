import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import type { DecidedBy, Sweep, SweepForecast, SweepReport } from "@/api/types";
import { EvaluationPage } from "@/features/evaluation/EvaluationPage";
import { SweepPage } from "@/features/evaluation/SweepPage";
import {
  datasetOf,
  findScorerProblem,
  NO_SCORER,
  readScoring,
} from "@/features/evaluation/scorerDraft";
import { describeSize, EMPTY_SWEEP, readSweep } from "@/features/evaluation/sweepDraft";
import { answer, answerNothing, record, refuse } from "@/testing/answers";
import { agentRow, job, model, session, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const SCORE = {
  estimate: { value: 0.75, low: 0.5, high: 0.9, count: 24 },
  method: "wilson" as const,
  tasks: 12,
  clusters: 12,
  missing: 0,
  left_out: 0,
};

function variant(letter: string, agent: string) {
  return {
    letter,
    label: `${agent} v1`,
    agent_version_id: uuid(41),
    agent_name: agent,
    version_number: 1,
    model_id: null,
    model_name: "",
    parameters: {},
  };
}

const A = variant("A", "old");
const B = variant("B", "new");
const SENTENCE = "B (new v1) is better than A (old v1) by 12 points.";

const OUTCOME: DecidedBy = {
  scoring_id: null,
  words: "The answer is the expected one, or a person says so.",
  scorer: null,
  expected: "frozen",
  judge: "",
  scored_count: 0,
  not_scored_count: 0,
  tokens: 0,
  cost_micro_usd: 0,
  unpriced_call_count: 0,
};

const REPORT: SweepReport = {
  card: "",
  decided_by: OUTCOME,
  scorings: [],
  best: null,
  tags: [],
  next_steps: [],
  attacks: [],
  result_before: "",
  watching: "",
  learnt: [],
  held_models: [],
  sweep: {
    job_id: uuid(90),
    name: "prompts",
    variants: [A, B],
    task_count: 12,
    attempts: [1, 2],
    run_count: 48,
    done_count: 48,
    budget: { micro_usd: 2_000_000, tokens: null, calls: null, seconds: 1800 },
    seconds: 61,
    stands_on: [{ dataset_id: uuid(60), dataset: "exam", version: 2, tape_count: 12 }],
    state: "succeeded",
    is_pausing: false,
    message: "48 runs in 4 batches.",
    created_at: "2026-01-02T12:00:00Z",
    started_at: "2026-01-02T12:00:00Z",
    finished_at: "2026-01-02T12:01:00Z",
  },
  variants: [
    {
      variant: A,
      batches: [{ key: "A1", batch_id: uuid(21), seed: 1 }],
      run_count: 24,
      passed_count: 18,
      failed_count: 6,
      missing_count: 0,
      score: SCORE,
      unjudged: "",
      mean_value: null,
      any_of_attempts: SCORE,
      all_attempts: SCORE,
      vote: null,
      tokens: 1200,
      cost_micro_usd: 10_000,
      llm_call_count: 4,
      unpriced_call_count: 1,
      mean_seconds: 1.5,
      difference: null,
      p_value: null,
      sentence: "",
      steadiness: {
        between_share: 0.6,
        flaky_task_count: 5,
        majority: SCORE,
        sentence: "5 of 12 tasks had both results.",
      },
      watched: null,
    },
    {
      variant: B,
      batches: [{ key: "B1", batch_id: uuid(22), seed: 1 }],
      run_count: 24,
      passed_count: 0,
      failed_count: 0,
      missing_count: 24,
      score: null,
      unjudged: "None of its runs has started.",
      mean_value: null,
      any_of_attempts: null,
      all_attempts: null,
      vote: null,
      tokens: 0,
      cost_micro_usd: 0,
      llm_call_count: 0,
      unpriced_call_count: 0,
      mean_seconds: null,
      difference: { value: 0.12, low: -0.03, high: 0.27, count: 12 },
      p_value: 0.04,
      sentence: SENTENCE,
      steadiness: null,
      watched: null,
    },
  ],
  tasks: [
    {
      start_id: uuid(31),
      title: "Ada has 3 apples.",
      expected: "5",
      cells: [
        [
          {
            tape_id: uuid(51),
            passed: true,
            value: null,
            why: "It is 5.",
            answer: "5",
            is_chosen: false,
            has_verdict: false,
          },
          {
            tape_id: uuid(52),
            passed: false,
            value: 0.25,
            why: "It is 6 and not 5.",
            answer: "6",
            is_chosen: false,
            has_verdict: false,
          },
        ],
        [],
      ],
    },
  ],
  task_count: 1,
};

const FORECAST: SweepForecast = {
  run_count: 15,
  there_count: 0,
  new_count: 15,
  tokens: null,
  cost_micro_usd: null,
  seconds: null,
  smallest_difference: null,
  reach: "",
  variants: [],
  left_out: [],
};

beforeEach(() => {
  server.use(
    answer("get", "/session", session()),
    answer("get", "/jobs", { items: [], next: null }),
    answer("get", "/agents", [agentRow({ name: "math", latest_version_id: uuid(41) })]),
    answer("get", "/models", []),
    answer("post", "/sweeps/preview", FORECAST),
    answer("post", "/tapes/count", { tape_count: 5 }),
    answer("get", "/sweeps", { items: [REPORT.sweep], next: null }),
    answer("get", `/sweeps/${REPORT.sweep.job_id}`, REPORT),
  );
});

const showSweep = () =>
  renderScreen({
    path: "/evaluation/:jobId",
    element: <SweepPage />,
    at: `/evaluation/${REPORT.sweep.job_id}`,
  });

test("the version that a sweep measured is published from its results, or says why not", async () => {
  const versions = [
    { id: uuid(41), number: 2 },
    { id: uuid(42), number: 1 },
  ];
  const agent = agentRow({ id: uuid(300), name: "math", numbered_versions: versions });
  const { handler, requests } = record("post", `/agents/${uuid(300)}/publications`, {}, 201);
  const bare = { ...A, agent_version_id: uuid(41), model_id: null, parameters: {} };
  const other = { ...B, agent_version_id: uuid(42), parameters: { temperature: 0 } };
  const variants = [bare, other].map((variant) => ({ ...REPORT.variants[1], variant }));
  const report = { ...REPORT, variants };
  server.use(
    answer("get", "/agents", [agent]),
    answer("get", `/sweeps/${REPORT.sweep.job_id}`, report),
    handler,
  );
  const { user } = showSweep();

  await user.click(await screen.findByRole("button", { name: "Publish v2" }));

  await waitFor(() => expect(requests[0]?.body).toEqual({ version_id: uuid(41), anyway: false }));
  expect(await screen.findByText("v2 is published.")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Publish v1" })).not.toBeInTheDocument();
});

test("a sweep leads with its sentence; scores, batches and tapes are one click away", async () => {
  showSweep();

  const summary = await screen.findByRole("region", { name: "Summary" });
  expect(within(summary).getByText(SENTENCE)).toBeVisible();
  expect(
    within(summary).getByText(/2 variants × 2 attempts × 12 tasks, at most \$2/),
  ).toBeVisible();
  const variants = within(screen.getByRole("table", { name: "Variants" }));
  const [, first, second] = variants.getAllByRole("row").map((row) => within(row));
  expect(first?.getAllByText("75 % (50–90 %)")).toHaveLength(2);
  expect(first?.getByRole("link", { name: "A1" })).toHaveAttribute(
    "href",
    `/tapes?batch=${uuid(21)}`,
  );
  expect(first?.getByText("at least $0.0100")).toBeVisible();
  expect(second?.getByText("Nothing is judged. None of its runs has started.")).toBeVisible();
  expect(second?.getByText("+12 points")).toHaveAttribute("title", "+12 points (−3 to +27)");
  expect(second?.getByText("24")).toBeVisible();
  const tasks = within(screen.getByRole("table", { name: "Tasks" }));
  expect(tasks.getByRole("link", { name: /^Failed/ })).toHaveAttribute("href", `/t/${uuid(52)}`);
  const luck = within(screen.getByRole("region", { name: "Where the variance comes from" }));
  expect(luck.getByRole("listitem")).toHaveTextContent(
    "A 5 of 12 tasks had both results. By majority of its attempts 75 % (50–90 %).",
  );
});

test("with three attempts a vote is told, what it changes, and the run that it chose", async () => {
  const [first, second] = REPORT.variants;
  const [task] = REPORT.tasks;
  if (first === undefined || second === undefined || task === undefined) throw new Error();
  const better = { ...SCORE, estimate: { value: 0.92, low: 0.6, high: 0.99, count: 12 } };
  const vote = {
    attempt_count: 3,
    one_run: SCORE,
    vote: better,
    difference: { value: 0.17, low: 0.02, high: 0.31, count: 12 },
    differing_count: 4,
    gained_count: 3,
    lost_count: 1,
    tied_count: 2,
    left_out_count: 1,
    sentence: "",
  };
  const run = { tape_id: uuid(51), passed: true, value: null, why: "", has_verdict: false };
  const voted = {
    ...REPORT,
    sweep: { ...REPORT.sweep, attempts: [1, 2, 3] },
    variants: [{ ...first, vote }, second],
    tasks: [{ ...task, cells: [[{ ...run, answer: "1,204", is_chosen: true }], []] }],
  };
  server.use(answer("get", `/sweeps/${REPORT.sweep.job_id}`, voted));
  const { user } = showSweep();

  const votes = within(await screen.findByRole("table", { name: "By vote of 3 attempts" }));
  const cells = votes.getAllByRole("cell").map(({ textContent }) => textContent.trim());
  expect(cells).toEqual([
    "75 % (50–90 %)",
    "92 % (60–99 %)",
    "+17 points (+2 to +31)",
    "4 of 12",
    "3",
    "1",
    "2",
  ]);
  expect(screen.getByText(/^Of A, 1 task is not counted/)).toBeVisible();
  expect(screen.queryByText(/By majority of its attempts/)).toBeNull();
  const tasks = within(screen.getByRole("table", { name: "Tasks" }));
  await user.click(tasks.getByRole("button", { name: task.title }));
  const told = within(await screen.findByRole("region", { name: "Attempts at Ada has 3 apples." }));
  expect(told.getByRole("listitem")).toHaveTextContent(/^A1 chosen by vote old v1 1,204$/);
});

test("without a vote it is said why", async () => {
  const sweep = { ...REPORT.sweep, attempts: [1, 2, 3] };
  server.use(answer("get", `/sweeps/${REPORT.sweep.job_id}`, { ...REPORT, sweep }));
  showSweep();

  const votes = within(await screen.findByRole("region", { name: "By vote of 3 attempts" }));
  expect(votes.getByText(/most answers are prose/)).toBeVisible();
});

test("the best of many variants is told as it did where it was not chosen", async () => {
  const sentence = "B was the best of 3 with 90.0 %, and scores 70.0 %.";
  const best = { name: "B", chosen_among: 3, when_chosen: SCORE, on_others: SCORE, sentence };
  server.use(answer("get", `/sweeps/${REPORT.sweep.job_id}`, { ...REPORT, best }));
  showSweep();

  const summary = await screen.findByRole("region", { name: "Summary" });
  expect(within(summary).getByText(sentence)).toBeVisible();
});

test("the table of tasks has answers and scores; a task opens its attempts side by side", async () => {
  const { user, router } = showSweep();
  const tasks = within(await screen.findByRole("table", { name: "Tasks" }));
  expect(tasks.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
    "Task",
    "Expected",
    "A",
    "B",
  ]);
  expect(tasks.getAllByRole("cell").map(({ textContent }) => textContent.trim())).toEqual([
    "Ada has 3 apples.",
    "5",
    "0.255 · 6",
    "–",
  ]);

  await user.click(tasks.getByRole("button", { name: "Ada has 3 apples." }));

  const told = within(await screen.findByRole("region", { name: "Attempts at Ada has 3 apples." }));
  expect(told.getByText("5", { selector: "p q" })).toBeVisible();
  expect(told.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "A1  old v1 5 It is 5.",
    "A2  0.25 old v1 6 It is 6 and not 5.",
  ]);
  const compare = told.getByRole("link", {
    name: "Compare A1, which passed, with A2, which failed",
  });
  expect(compare).toHaveAttribute("href", `/t/${uuid(51)}/diff/${uuid(52)}`);
  expect(told.getByRole("link", { name: "A2" })).toHaveAttribute("href", `/t/${uuid(52)}`);
  expect(router.state.location.search).toBe(`?task=${uuid(31)}`);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("one goes from task to task without leaving their attempts", async () => {
  const [first] = REPORT.tasks;
  if (first === undefined) throw new Error();
  const tasks = [first, { ...first, start_id: uuid(32), title: "Bo has 2." }];
  server.use(answer("get", `/sweeps/${REPORT.sweep.job_id}`, { ...REPORT, tasks, task_count: 2 }));
  const { user } = showSweep();

  await user.click(await screen.findByRole("button", { name: "Ada has 3 apples." }));
  const dialog = within(await screen.findByRole("dialog", { name: "Task 1 of 2" }));
  expect(dialog.getByRole("button", { name: "Previous task" })).toBeDisabled();
  await user.click(dialog.getByRole("button", { name: "Next task" }));

  expect(await screen.findByRole("region", { name: "Attempts at Bo has 2." })).toBeVisible();
  expect(screen.getByRole("button", { name: "Next task" })).toBeDisabled();
});

test("a judge's verdict opens as its tape, and of what was deleted it is said", async () => {
  const scoring = uuid(95);
  const path = `/sweeps/${REPORT.sweep.job_id}/scorings/${scoring}/verdicts/${uuid(51)}`;
  const gone = refuse("post", path, "1 call was deleted.");
  const [task] = REPORT.tasks;
  const cells = [
    [
      {
        tape_id: uuid(51),
        passed: true,
        value: 1,
        why: "Yes.",
        answer: "",
        is_chosen: false,
        has_verdict: true,
      },
    ],
    [],
  ];
  const decided_by = { ...OUTCOME, scoring_id: scoring, judge: "strict" };
  const judged = { ...REPORT, decided_by, tasks: task === undefined ? [] : [{ ...task, cells }] };
  server.use(answer("get", `/sweeps/${REPORT.sweep.job_id}`, judged), gone);
  const { user, router } = showSweep();
  const tasks = within(await screen.findByRole("table", { name: "Tasks" }));
  await user.click(tasks.getByRole("button", { name: "Ada has 3 apples." }));

  await user.click(await screen.findByRole("button", { name: "Open the verdict on A1" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("1 call was deleted.");
  const two = { tape_ids: [uuid(76), uuid(78)], constraints: ["polite", "short"] };
  server.use(answer("post", path, two));
  await user.click(screen.getByRole("button", { name: "Open the verdict on A1" }));
  expect(await screen.findByRole("link", { name: "short" })).toHaveAttribute(
    "href",
    `/t/${uuid(78)}`,
  );
  server.use(answer("post", path, { tape_ids: [uuid(77)], constraints: [] }));
  await user.click(screen.getByRole("button", { name: "Open the verdict on A1" }));

  await waitFor(() => expect(router.state.location.pathname).toBe(`/t/${uuid(77)}`));
});

test("a sweep is paused, says so until all is held, and continues", async () => {
  const running: Sweep = { ...REPORT.sweep, state: "running", is_pausing: false };
  const path = `/sweeps/${REPORT.sweep.job_id}`;
  const paused = record("post", `${path}/pause`, job(), 202);
  const continued = record("post", `${path}/continue`, job(), 202);
  server.use(answer("get", path, { ...REPORT, sweep: running }));
  server.use(paused.handler, continued.handler);
  const { user } = showSweep();

  await user.click(await screen.findByRole("button", { name: "Pause" }));
  await waitFor(() => expect(paused.requests).toHaveLength(1));
  server.use(answer("get", path, { ...REPORT, sweep: { ...running, is_pausing: true } }));
  expect(
    await screen.findByText(/^Pausing: nothing more is started/, undefined, { timeout: 4000 }),
  ).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Continue" }));

  await waitFor(() => expect(continued.requests).toHaveLength(1));
});

test("while it runs an interval that holds at every look is told, and why it is wider", async () => {
  const [first, second] = REPORT.variants;
  const sentence =
    "So far there is no clear winner between A and B: +12 points (between −20 and +41).";
  const watched = { score: SCORE.estimate, difference: null, sentence };
  const variants =
    first === undefined || second === undefined ? [] : [first, { ...second, watched }];
  const watching = "These intervals are right however often you look.";
  const held_models = [{ name: "gpt", seconds: 39.4 }];
  const running = { ...REPORT, variants, watching, held_models };
  server.use(answer("get", `/sweeps/${REPORT.sweep.job_id}`, running));
  showSweep();

  const told = within(await screen.findByRole("region", { name: "While it runs" }));
  expect(told.getByText(sentence)).toBeVisible();
  expect(told.getByText(watching)).toBeVisible();
  expect(screen.getByText(/^Runs wait for the rate limit of gpt: .* again in 40/)).toBeVisible();
});

test("a variant whose model was trained on the tasks is told of, with what it learnt", async () => {
  const sentence = "student, which B asks, was trained on 3 of the 12 tasks (training set sums).";
  const set = { training_set_id: uuid(7), training_set: "sums", task_count: 3 };
  const learnt = [{ variant: "B", model: "student", sentence, ...set }];
  server.use(answer("get", `/sweeps/${REPORT.sweep.job_id}`, { ...REPORT, learnt }));
  showSweep();

  expect(await screen.findByText(/was trained on 3 of the 12 tasks/)).toBeVisible();
  expect(screen.getByRole("link", { name: "See what it was trained on" })).toHaveAttribute(
    "href",
    `/training/sets/${uuid(7)}`,
  );
});

test("rates by tag open the tapes of a variant on the tasks of the tag", async () => {
  const cell = { passed_count: 18, failed_count: 6, missing_count: 1, score: SCORE };
  const none = { passed_count: 0, failed_count: 0, missing_count: 2, score: null };
  const tags = [{ tag: "two steps", task_count: 12, cells: [cell, none] }];
  server.use(answer("get", `/sweeps/${REPORT.sweep.job_id}`, { ...REPORT, tags }));
  showSweep();

  const table = within(await screen.findByRole("table", { name: "By tag of the task" }));
  const opened = table.getByRole("link", { name: "75 % n = 24" });
  const query = new URLSearchParams(opened.getAttribute("href")?.split("?")[1]).get("q");
  expect(query).toBe(`batch:${uuid(21)} parent_tag:"two steps"`);
  expect(opened.title).toContain("18 of 24 runs passed, 1 missing");
  expect(table.getByRole("link", { name: "– n = 0" })).toBeVisible();
});

test("the next step is told by kind, tool and arguments where tests ask for it", async () => {
  const rates = { compared_count: 8, kind_count: 8, tool_count: 6, argument_count: 4 };
  const next_steps = [{ variant: 0, ...rates }];
  server.use(answer("get", `/sweeps/${REPORT.sweep.job_id}`, { ...REPORT, next_steps }));
  showSweep();

  const table = within(await screen.findByRole("table", { name: "The next step" }));
  const cells = table.getAllByRole("cell").map(({ textContent }) => textContent);
  expect(cells).toEqual(["8", "100 %", "75 %", "50 %"]);
});

test("what is missing is tried again, and only what is new is sent", async () => {
  const amended = record("post", `/sweeps/${REPORT.sweep.job_id}/amend`, job({}), 202);
  server.use(amended.handler);
  const { user } = showSweep();

  await user.click(await screen.findByRole("button", { name: "Retry missing runs" }));
  await user.click(screen.getByRole("button", { name: "Add to sweep" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText("Nothing is added yet.")).toBeVisible();
  await user.type(dialog.getByRole("textbox", { name: "More seeds" }), "3, 4");
  await user.clear(dialog.getByRole("textbox", { name: "Max cost" }));
  await user.type(dialog.getByRole("textbox", { name: "Max cost" }), "5");
  await user.click(dialog.getByRole("button", { name: "Add and run" }));

  const nothing = { variants: [], seeds: [], repeats: 0 };
  expect(amended.requests.map(({ body }) => body)).toEqual([
    { ...nothing, retry: true },
    {
      ...nothing,
      seeds: [3, 4],
      retry: true,
      budget: { micro_usd: 5_000_000, seconds: 1800, tokens: null, calls: null },
    },
  ]);
});

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

test("the report is downloaded in words, as a table or numbers, its variants for Inspect", async () => {
  const { user } = showSweep();

  await user.click(await screen.findByRole("button", { name: "Export" }));

  const lines = await screen.findAllByRole("menuitem");
  const files = lines.map((line) => line.getAttribute("href")?.replace(/^.*\/sweeps\/[^/]*\//, ""));
  const logs = ["variants/A.eval", "variants/B.eval"];
  expect(files).toEqual(["report.md", "report.csv", "report.json", ...logs]);
});

test("scores and what they cost are drawn, and told to who does not see it", async () => {
  const [first, second] = REPORT.variants;
  if (first === undefined || second === undefined) throw new Error("It compares two variants.");
  const priced = { ...first, unpriced_call_count: 0, cost_micro_usd: 24_000_000 };
  const cheap = { value: 0.5, low: 0.3, high: 0.7, count: 24 };
  server.use(
    answer("get", `/sweeps/${REPORT.sweep.job_id}`, {
      ...REPORT,
      variants: [
        priced,
        {
          ...priced,
          variant: B,
          cost_micro_usd: 6_000_000,
          score: { ...SCORE, estimate: cheap },
        },
      ],
    }),
  );
  renderScreen({
    path: "/evaluation/:jobId",
    at: `/evaluation/${REPORT.sweep.job_id}`,
    element: <SweepPage />,
  });

  expect(await screen.findByRole("img", { name: /cost per run/ })).toHaveAccessibleName(
    /A 75 % at \$1 a run, on the frontier; B 50 % at \$0.25 a run, on the frontier\.$/,
  );
});

const JUDGED: DecidedBy = {
  ...OUTCOME,
  scoring_id: uuid(70),
  words: "A judge gives 0.5 or more by the rubric.",
  scorer: { kind: "judge", model_id: uuid(31), rubric: "Is it?", pass_score: 0.5 },
  judge: "strict",
  scored_count: 20,
  not_scored_count: 4,
  tokens: 900,
};

test("a report says by what it is decided, and another scoring is one choice away", async () => {
  const asked = record("get", `/sweeps/${REPORT.sweep.job_id}`, {
    ...REPORT,
    decided_by: JUDGED,
    scorings: [JUDGED],
  });
  server.use(asked.handler);
  const { user } = renderScreen({
    path: "/evaluation/:jobId",
    at: `/evaluation/${REPORT.sweep.job_id}`,
    element: <SweepPage />,
  });

  expect(await screen.findByText(/could not judge 4 runs, which count as missing/)).toBeVisible();
  expect(screen.getByRole("link", { name: "exam, version 2" })).toHaveAttribute(
    "href",
    "/tapes?q=dataset%3A%22exam%402%22",
  );
  await user.click(screen.getByRole("combobox", { name: "Decided by" }));
  await user.click(
    await screen.findByText("The expected answer, or a person where it cannot decide"),
  );

  await waitFor(() => expect(asked.requests.at(-1)?.url.searchParams.get("by")).toBe("outcome"));
});

test("a scorer that the server would refuse is not started", async () => {
  server.use(
    refuse("post", `/sweeps/${REPORT.sweep.job_id}/scorings/check`, "The judge has no key."),
    answer("get", `/sweeps/${REPORT.sweep.job_id}`, REPORT),
    answer("get", `/datasets/${uuid(60)}/scorers`, []),
    answer("get", "/models", []),
  );
  const { user } = showSweep();

  await user.click(await screen.findByRole("button", { name: "Rescore" }));
  const dialog = within(await screen.findByRole("dialog"));

  expect(await dialog.findByRole("alert")).toHaveTextContent("The judge has no key.");
  expect(dialog.getByRole("button", { name: "Score" })).toBeDisabled();
});

test("a finished sweep is scored by a judge, nothing is run, and its page shows the new score", async () => {
  const scored = record(
    "post",
    `/sweeps/${REPORT.sweep.job_id}/scorings`,
    job({ id: uuid(80) }),
    202,
  );
  server.use(
    scored.handler,
    answerNothing("post", `/sweeps/${REPORT.sweep.job_id}/scorings/check`),
    answer("get", `/sweeps/${REPORT.sweep.job_id}`, REPORT),
    answer("get", `/datasets/${uuid(60)}/scorers`, []),
    answer(
      "get",
      `/jobs/${uuid(80)}`,
      job({
        id: uuid(80),
        state: "succeeded",
        message: "20 attempts scored. 4 not scored: the budget is used up.",
        result: { scoring_id: uuid(70), left: 4 },
      }),
    ),
    answer("get", "/models", []),
  );
  const { user, router } = showSweep();

  await user.click(await screen.findByRole("button", { name: "Rescore" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("combobox", { name: "Decided by" }));
  await user.click(await screen.findByText("The final text contains the expected answer"));
  await user.click(dialog.getByRole("checkbox", { name: "Expected answers as they are now" }));
  const score = dialog.getByRole("button", { name: "Score" });
  await waitFor(() => expect(score).toBeEnabled());
  await user.click(score);

  expect(await dialog.findByText(/4 not scored: the budget is used up\./)).toBeVisible();
  expect(router.state.location.search).toBe(`?by=${uuid(70)}`);
  expect(scored.requests[0]?.body).toEqual({
    scorer: { kind: "contains", ignores_case: true },
    expected: "now",
  });
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
