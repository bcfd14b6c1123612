import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import type { Sweep } from "@/api/types";
import { SweepPage } from "@/features/evaluation/SweepPage";
import { answer, record, refuse } from "@/testing/answers";
import { agentRow, job, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";
import {
  A,
  answerWithSweep,
  B,
  OUTCOME,
  REPORT,
  SCORE,
  SENTENCE,
  showSweep,
} from "@/features/evaluation/sweepExample";

beforeEach(answerWithSweep);

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
