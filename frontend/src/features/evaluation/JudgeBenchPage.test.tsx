import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import type { BenchReport } from "@/api/types";
import { JudgeBenchPage } from "@/features/evaluation/JudgeBenchPage";
import { answer, record } from "@/testing/answers";
import { session, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const JOB = uuid(90);
const SCORING = uuid(70);
const PLACE = `/sweeps/${JOB}/scorings/${SCORING}`;
const rate = (value: number) => ({ value, low: value - 0.1, high: value + 0.1, count: 40 });

const REFUSED: BenchReport = {
  decided_by: {
    scoring_id: SCORING,
    words: "A judge gives 0.5 or more by the rubric.",
    scorer: { kind: "judge", model_id: uuid(31), rubric: "Is it?", pass_score: 0.5 },
    expected: "frozen",
    judge: "strict",
    scored_count: 200,
    not_scored_count: 0,
    tokens: 0,
    cost_micro_usd: 0,
    unpriced_call_count: 0,
  },
  labels: "Judge check",
  judged_count: 200,
  labelled_count: 0,
  labelled: [],
  bench: null,
  length_bias: null,
  position_bias: null,
  corrected: null,
  refusal: "People have scored 0 items that the judge has scored too.",
  needed: null,
};

const ESTIMATES: NonNullable<BenchReport["corrected"]> = {
  reported: "prediction_powered",
  prediction_powered: rate(0.55),
  judge_weight: 0.8,
  rogan_gladen: rate(0.54),
  human_only: rate(0.53),
  judge_only: rate(0.62),
  labels: 40,
  unlabelled: 160,
  unread: 2,
};

const CORRECTED: BenchReport = {
  ...REFUSED,
  labelled_count: 40,
  refusal: "",
  bench: {
    confusion: { both: 20, only_judge: 4, only_human: 1, neither: 15 },
    agreement: rate(0.875),
    kappa: rate(0.74),
    sensitivity: rate(0.95),
    specificity: rate(0.79),
    better_than_chance: rate(0.74),
    brier_score: 0.125,
    calibration: [],
    calibration_error: 0.1,
    unread: 2,
  },
  length_bias: { correlation: 0.31, p_value: 0.05, count: 40 },
  corrected: ESTIMATES,
  needed: { half_width: 0.05, with_judge: 120, without_judge: 190, labels_now: 40 },
};

beforeEach(() => {
  server.use(answer("get", "/session", session()), answer("get", `${PLACE}/disagreements`, []));
});

const open = () =>
  renderScreen({
    path: "/evaluation/:jobId/judge/:scoringId",
    at: `/evaluation/${JOB}/judge/${SCORING}`,
    element: <JudgeBenchPage />,
  });

test("a judge is shown beside people, and people alone beside the corrected score", async () => {
  server.use(answer("get", `${PLACE}/bench`, CORRECTED));
  open();

  const corrected = within(await screen.findByRole("table", { name: "Pass rate by people" }));
  expect(
    corrected.getByRole("row", { name: /^Prediction-powered \(recommended\)/ }),
  ).toHaveTextContent("55 % (45–65 %)");
  expect(corrected.getByRole("row", { name: /^People alone 53 %/ })).toBeVisible();
  const agreement = within(screen.getByRole("table", { name: "Agreement with people" }));
  expect(agreement.getByRole("row", { name: /^Kappa/ })).toHaveTextContent("0.74 (0.64 to 0.84)");
  const verdicts = within(screen.getByRole("table", { name: "Verdicts" }));
  expect(verdicts.getByRole("row", { name: "Judge: pass 20 4" })).toBeVisible();
  expect(
    screen.getByText("It takes 120 labels; without the judge 190. There are 40."),
  ).toBeVisible();
});

test("a cell of the confusion matrix opens its attempts, with what the judge says of them", async () => {
  const one = { tape_id: uuid(51), name: "A2", title: "Ada has 3.", why: "It ends with 5." };
  const labelled = [
    { ...one, judge_passed: true, human_passed: false },
    { ...one, tape_id: uuid(52), name: "B1", judge_passed: true, human_passed: true },
  ];
  server.use(answer("get", `${PLACE}/bench`, { ...CORRECTED, labelled }));
  const { user } = open();

  const words = "The judge lets pass, people do not";
  await user.click(await screen.findByRole("button", { name: `${words}: 4 attempts` }));

  const cell = within(screen.getByRole("region", { name: words }));
  expect(cell.getAllByRole("listitem")).toHaveLength(1);
  expect(cell.getByRole("listitem")).toHaveTextContent("A2, Ada has 3. It ends with 5.");
  expect(cell.getByRole("link")).toHaveAttribute("href", `/t/${uuid(51)}`);
});

test("where the judge makes nothing more certain, the people alone are recommended", async () => {
  const corrected = { ...ESTIMATES, reported: "human_only" };
  server.use(answer("get", `${PLACE}/bench`, { ...CORRECTED, corrected }));
  open();

  const shown = within(await screen.findByRole("table", { name: "Pass rate by people" }));
  expect(shown.getByRole("row", { name: /^People alone \(recommended\) 53 %/ })).toBeVisible();
  expect(shown.getByRole("row", { name: /^Prediction-powered 55 %/ })).toBeVisible();
  expect(screen.getByText(/report the score of the people alone/)).toBeVisible();
});

test("a judge of pairs shows how far the order sways it", async () => {
  const position_bias = {
    consistent: rate(0.8),
    prefers_first: rate(0.75),
    first_both_times: 3,
    second_both_times: 1,
    p_value: 0.625,
    unread: 2,
  };
  server.use(answer("get", `${PLACE}/bench`, { ...REFUSED, position_bias }));
  open();

  const bias = within(await screen.findByRole("table", { name: "Position bias" }));
  expect(bias.getByRole("row", { name: /^Same verdict/ })).toHaveTextContent("80 % (70–90 %)");
  expect(bias.getByRole("row", { name: /^First preferred/ })).toHaveTextContent("75 %");
  expect(bias.getByRole("row", { name: /3, 1 \(p = 0.625\)/ })).toBeVisible();
  expect(bias.getByRole("row", { name: "Verdicts that could not be read 2" })).toBeVisible();
});

test("without labels a correction is refused, and a queue of attempts is asked for", async () => {
  const asked = record("post", `${PLACE}/labels`, { id: uuid(50) }, 201);
  server.use(answer("get", `${PLACE}/bench`, REFUSED), asked.handler);
  const { user } = open();

  expect(await screen.findByText(/^No corrected score: People have scored 0 items/)).toBeVisible();
  // Before disagreements arrive, too: what appears later moves the button from under the pointer.
  expect(screen.getByRole("combobox", { name: "Which" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Ask people" }));

  expect(await screen.findByRole("link", { name: "Open the queue" })).toBeVisible();
  const body = { name: "Labels for the judge", count: 40, disagreement: "" };
  expect(asked.requests[0]?.body).toEqual(body);
});

test("what another scorer says otherwise of is put into a queue", async () => {
  const other = { key: uuid(71), words: "Otherwise by: The number is right.", attempt_count: 7 };
  const asked = record("post", `${PLACE}/labels`, { id: uuid(50) }, 201);
  server.use(
    answer("get", `${PLACE}/bench`, CORRECTED),
    answer("get", `${PLACE}/disagreements`, [other]),
    asked.handler,
  );
  const { user } = open();

  await user.click(await screen.findByRole("combobox", { name: "Which" }));
  await user.click(await screen.findByRole("option", { name: /number is right. 7 attempts/ }));
  expect(screen.getByRole("textbox", { name: "Attempts" })).toHaveValue("7");
  await user.click(screen.getByRole("button", { name: "Ask people" }));

  expect(await screen.findByRole("link", { name: "Open the queue" })).toBeVisible();
  expect(asked.requests[0]?.body).toMatchObject({ count: 7, disagreement: uuid(71) });
});

test("a narrower interval is asked about, and the missing labels are suggested", async () => {
  const shown = record("get", `${PLACE}/bench`, CORRECTED);
  server.use(shown.handler);
  const { user } = open();

  const points = await screen.findByRole("textbox", { name: "Target margin of error, in points" });
  expect(screen.getByRole("textbox", { name: "Attempts" })).toHaveValue("80");
  await user.clear(points);
  await user.type(points, "3");

  await waitFor(() => {
    expect(shown.requests.at(-1)?.url.searchParams.get("half_width")).toBe("0.03");
  });
});
