import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import type { StudyArm, StudyDetails, StudySettings } from "@/api/types";
import { StudyPage } from "@/features/training/study/StudyPage";
import { serveTraining } from "@/features/training/testing";
import { TrainingPage } from "@/features/training/TrainingPage";
import { answer, record } from "@/testing/answers";
import { job, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const SETTINGS: StudySettings = {
  name: "form-study",
  seed: 3,
  teacher: "",
  student: "",
  asked: "test",
  error_rate: 0.07,
  made_up: 60,
  train_width: 12,
  openings: 20,
  test_width: 60,
  depth: 9,
  base_steps: 2000,
  base_width: 128,
  base_layers: 4,
  preset: "tiny-full",
  per_behaviour: 10,
  whole_dialogues: 60,
  longest_answer: 600,
  at_once: 8,
  teacher_price: 1.79,
  student_price: 0.055,
};

const CRITERIA = ["grounded", "responsive", "accurate", "disciplined", "transparent", "helpful"];

function arm(name: string, greadth: number, dollars: number): StudyArm {
  return {
    name,
    report: {
      greadth,
      low: greadth - 0.05,
      high: greadth + 0.05,
      count: 190,
      invalid_share: 0.02,
      error_count: 0,
      shares: Object.fromEntries(CRITERIA.map((one) => [one, 0.9])),
      by_behaviour: { UserHappyPath: greadth },
      input_tokens: 100,
      output_tokens: 20,
      comparable_tokens: 120,
      dollars_per_million_turns: dollars,
    },
    whole: null,
    against_teacher:
      name === "teacher"
        ? null
        : { difference: -0.65, low: -0.7, high: -0.6, p_value: 0.001, turns: 190, dialogues: 90 },
    times_cheaper: name === "teacher" ? null : 560,
    batch: `form-study ${name}`,
  };
}

const STUDY: StudyDetails = {
  study: {
    job_id: uuid(90),
    name: "form-study",
    settings: SETTINGS,
    state: "succeeded",
    message: "GREADTH: teacher 82.0 %, student 16.7 %.",
    greadth: { teacher: 0.82, student: 0.167 },
    created_at: "2026-01-02T12:00:00Z",
    started_at: "2026-01-02T12:00:00Z",
    finished_at: "2026-01-02T13:00:00Z",
  },
  pieces: [
    { name: "test trees", is_done: true, words: "54 continuations of 3 companies", job_id: null },
    { name: "lessons", is_done: true, words: "36 dialogues of 71 turns", job_id: null },
    { name: "set", is_done: true, words: "98 examples to learn", job_id: uuid(91) },
    { name: "student", is_done: false, words: "", job_id: uuid(92) },
  ],
  lessons: "form-study lessons",
  training_set_id: uuid(93),
  arms: [arm("teacher", 0.82, 17_771), arm("student", 0.167, 32)],
};
const AT = `/training/studies/${STUDY.study.job_id}`;
const TREES = `/studies/${STUDY.study.job_id}/trees`;

function show() {
  return renderScreen({ path: "/training/studies/:jobId", element: <StudyPage />, at: AT });
}

beforeEach(() => {
  serveTraining();
  server.use(
    answer("get", "/models", []),
    answer("get", `/studies/${STUDY.study.job_id}`, STUDY),
    answer("get", "/studies", { items: [STUDY.study], next: null }),
    answer("get", "/studies/sizes", { tiny: SETTINGS, small: SETTINGS, whole: SETTINGS }),
    answer("get", `${TREES}/test`, {
      balance: {
        companies: 3,
        count: 54,
        open_count: 47,
        depths: { 1: 54 },
        behaviours: { UserHappyPath: 54 },
        forms: { RentCar: 30, ReturnCar: 24 },
      },
      companies: ["DriveCorp", "ShopCorp"],
    }),
    answer("get", `${TREES}/test/DriveCorp`, [
      {
        company: "DriveCorp",
        key: "abc",
        depth: 2,
        behaviour: "UserHappyPath",
        form: "RentCar",
        message: "A <b>red</b> one",
        is_open: true,
      },
    ]),
  );
});

test("each number of the examination leads to its tapes", async () => {
  show();

  const table = within(await screen.findByRole("table", { name: "Examination" }));
  const row = within(table.getByRole("row", { name: /^Student/ }));
  expect(row.getByText("17 % (12–22 %)")).toBeVisible();
  expect(row.getByText("−65 points (−70 to −60)")).toBeVisible();
  expect(row.getByText("560")).toBeVisible();
  const batch = 'batch:"form-study student"';
  const query = (words: string) => `/tapes?${new URLSearchParams({ q: words })}`;
  expect(row.getByRole("link", { name: "Student" })).toHaveAttribute("href", query(batch));
  const criteria = within(screen.getByRole("table", { name: "By criterion" }));
  const grounded = within(criteria.getByRole("row", { name: /^Grounded/ }));
  expect(grounded.getAllByRole("link", { name: "90 %" })[1]).toHaveAttribute(
    "href",
    query(`${batch} tag:"not grounded"`),
  );
  const behaviours = within(screen.getByRole("table", { name: "By behaviour of the user" }));
  expect(behaviours.getByRole("link", { name: "17 %" })).toHaveAttribute(
    "href",
    query(`${batch} tag:"UserHappyPath"`),
  );
  expect(
    screen.getByRole("img", {
      name: /teacher 82 % at \$17,771 for a million turns, on the frontier; student 17 % at \$32 for/,
    }),
  ).toBeVisible();
});

test("pieces lead to what they made, or are not there yet", async () => {
  show();

  const pieces = within(await screen.findByRole("table", { name: "Pieces" }));
  expect(pieces.getByRole("link", { name: "98 examples to learn" })).toHaveAttribute(
    "href",
    `/training/sets/${uuid(93)}`,
  );
  expect(within(pieces.getByRole("row", { name: /Student/ })).getByText("Not yet")).toBeVisible();
});

test("a dialogue of a tree opens as a tape", async () => {
  const opened = record("post", `${TREES}/test/DriveCorp/abc/open`, { tape_id: uuid(5) });
  server.use(opened.handler);
  const { user, address } = show();

  expect(await screen.findByText(/54 continuations of 3 companies; after 47/)).toBeVisible();
  const table = within(await screen.findByRole("table", { name: "Dialogues of DriveCorp" }));
  expect(table.getByText("A <b>red</b> one")).toBeVisible();
  await user.click(table.getByRole("button", { name: "Open" }));

  await waitFor(() => expect(address()).toBe(`/t/${uuid(5)}`));
  expect(opened.requests).toHaveLength(1);
});

test("a study that was cancelled is resumed", async () => {
  const resumed = record("post", `/jobs/${STUDY.study.job_id}/requeue`, job({}));
  server.use(
    resumed.handler,
    answer("get", `/studies/${STUDY.study.job_id}`, {
      ...STUDY,
      study: { ...STUDY.study, state: "cancelled" },
      arms: [],
    }),
  );
  const { user } = show();

  expect(await screen.findByText("It ended before its report. Resume it to go on.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Resume" }));
  expect(resumed.requests).toHaveLength(1);
});

test("a form starts one with the settings of its size and what was changed", async () => {
  const started = record("post", "/studies", job({ kind: "study" }), 202);
  const check = record("post", "/studies/check", { forecast: ["The teacher continues a lot."] });
  server.use(started.handler, check.handler);
  const at = "/training?tab=studies&new=study";
  const { user, address } = renderScreen({ path: "/training", element: <TrainingPage />, at });

  const name = await screen.findByRole("textbox", { name: "Name" });
  await user.clear(name);
  expect(screen.getByText("Give it a name.")).toBeVisible();
  await user.type(name, "mine");
  await user.click(screen.getByText("More settings"));
  const seed = screen.getByRole("textbox", { name: "Seed" });
  await user.clear(seed);
  expect(screen.getByText("Enter a number: seed.")).toBeVisible();
  await user.type(seed, "5");
  const button = screen.getByRole("button", { name: "Start study" });
  await waitFor(() => expect(button).toBeEnabled());
  expect(screen.getByText("The teacher continues a lot.")).toBeVisible();
  await user.click(button);

  expect(started.requests[0]?.body).toEqual({ ...SETTINGS, name: "mine", seed: 5 });
  expect(address()).toBe(`/training/studies/${uuid(100)}`);
});
