import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import type { RubricItem } from "@/api/types";
import { choicesOf, firstMissing, withValue } from "@/features/annotate/choices";
import {
  chosenRubric,
  EMPTY_QUEUE,
  rubricChoices,
  usualAudit,
} from "@/features/annotate/queueForm";
import { QueuesPage } from "@/features/annotate/QueuesPage";
import { EMPTY_DRAFT, findProblems, moved, newItem, tidied } from "@/features/annotate/rubricDraft";
import { RubricPage } from "@/features/annotate/RubricPage";
import { answer, record } from "@/testing/answers";
import { session, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

test("a rubric is built beside its preview and saved when nothing is wrong", async () => {
  const saved = record("post", "/rubrics", { id: uuid(1) }, 201);
  server.use(
    answer("get", "/session", session()),
    answer("get", "/rubrics", { items: [] }),
    saved.handler,
  );
  const { user } = renderScreen({
    path: "/queues/rubrics/:rubricId",
    element: <RubricPage />,
    at: "/queues/rubrics/new",
  });
  const [question] = screen.getAllByRole("textbox", { name: "Question" });
  if (question === undefined) throw new Error("There must be an item.");

  await user.clear(question);
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(screen.getByText("Give the rubric a name.")).toBeVisible();
  expect(screen.getByText("Write the question.")).toBeVisible();
  expect(saved.requests).toEqual([]);

  await user.type(question, "Polite?");
  await user.type(screen.getByRole("textbox", { name: "Name" }), "Manners");
  const preview = screen.getByRole("region", { name: "Preview" });
  expect(within(preview).getByRole("radiogroup", { name: "Polite?" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Save" }));

  await waitFor(() => expect(saved.requests).toHaveLength(1));
  expect(saved.requests[0]?.body).toMatchObject({
    name: "Manners",
    rubric: { items: [{ kind: "binary", key: "good", question: "Polite?" }] },
  });
});

function openNewRubric() {
  server.use(answer("get", "/session", session()), answer("get", "/rubrics", { items: [] }));
  return renderScreen({
    path: "/queues/rubrics/:rubricId",
    element: <RubricPage />,
    at: "/queues/rubrics/new",
  });
}

test("a new item takes the focus, and one that is removed can be brought back", async () => {
  const { user } = openNewRubric();

  await user.click(screen.getByRole("button", { name: "Add an item" }));
  await user.click(await screen.findByRole("menuitem", { name: "Scale" }));
  await waitFor(() =>
    expect(screen.getAllByRole("textbox", { name: "Question" })[1]).toHaveFocus(),
  );
  await user.keyboard("How clear?");
  await user.click(screen.getByRole("button", { name: "Remove item 2" }));
  expect(screen.queryByDisplayValue("How clear?")).toBeNull();

  await user.click(await screen.findByRole("button", { name: "Undo" }));
  expect(screen.getByDisplayValue("How clear?")).toBeVisible();
});

test("who leaves a rubric that is not saved is asked first", async () => {
  const { user, address } = openNewRubric();
  await user.type(screen.getByRole("textbox", { name: "Name" }), "Manners");

  await user.click(screen.getByRole("link", { name: "Rubrics" }));
  await user.click(await screen.findByRole("button", { name: "Stay" }));
  expect(address()).toBe("/queues/rubrics/new");
  expect(screen.getByDisplayValue("Manners")).toBeVisible();
  await user.click(screen.getByRole("link", { name: "Rubrics" }));
  await user.click(await screen.findByRole("button", { name: "Leave" }));

  await waitFor(() => expect(address()).toBe("/queues/rubrics"));
});

test("who may only look can try a rubric but not change it", async () => {
  const stored = {
    id: uuid(1),
    name: "Manners",
    version: 2,
    rubric: EMPTY_DRAFT.rubric,
    updated_at: "2026-01-01T00:00:00Z",
  };
  server.use(
    answer("get", "/session", session({ role: "viewer" })),
    answer("get", "/rubrics", { items: [stored] }),
  );
  renderScreen({
    path: "/queues/rubrics/:rubricId",
    element: <RubricPage />,
    at: `/queues/rubrics/${uuid(1)}`,
  });

  await waitFor(() => expect(screen.getByRole("textbox", { name: "Name" })).toBeDisabled());
  expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
  expect(screen.getByRole("radio", { name: "Yes" })).toBeEnabled();
});

test("empty lines between options are no options", () => {
  const choice: RubricItem = {
    kind: "choice",
    key: "why",
    question: "Why?",
    help: "",
    is_required: true,
    options: ["plan ", "", "answer", ""],
  };
  const rubric = { description: "", items: [choice], score: { rule: "none" as const, item: "" } };

  expect(findProblems({ name: "r", rubric }).hasAny).toBe(false);
  expect(tidied({ name: " r ", rubric })).toEqual({
    name: "r",
    rubric: { ...rubric, items: [{ ...choice, options: ["plan", "answer"] }] },
  });
});

test("items keep keys of their own, move, and say what is wrong", () => {
  const { items } = EMPTY_DRAFT.rubric;
  const choice = newItem("choice", items);
  const both = [...items, choice, newItem("choice", [...items, choice])];

  expect(both.map(({ key }) => key)).toEqual(["good", "choice", "choice_2"]);
  expect(moved(both, 2, -1).map(({ key }) => key)).toEqual(["good", "choice_2", "choice"]);
  expect(moved(both, 0, -1)).toEqual(both);
  const problems = findProblems({
    name: "r",
    rubric: { description: "", items: [choice], score: { rule: "mean", item: "" } },
  });
  expect(problems.hasAny).toBe(true);
  expect(problems.score).toBe("This score needs a yes-or-no item or a scale.");
});

test("each choice has its digit, the tenth the zero and those after it none", () => {
  const options = Array.from({ length: 12 }, (_, at) => `option ${at}`);
  const item = { ...newItem("choice", []), kind: "choice" as const, options };

  expect(choicesOf(item).map(({ digit }) => digit)).toEqual([
    ..."1,2,3,4,5,6,7,8,9,0".split(","),
    null,
    null,
  ]);
  expect(choicesOf(newItem("binary", [])).map(({ digit }) => digit)).toEqual(["1", "0"]);
});

test("an optional choice can be taken back and a required one not", () => {
  const needed = newItem("binary", []);
  const optional = { ...needed, is_required: false };

  expect(withValue({ binary: true }, optional, true)).toEqual({});
  expect(withValue({ binary: true }, needed, true)).toEqual({ binary: true });
  expect(firstMissing([needed], {})).toBe(needed);
  expect(firstMissing([needed], { binary: false })).toBeUndefined();
});

test("a preset gives way to the project's rubric of its name; pairs follow each other", () => {
  const { rubric } = EMPTY_DRAFT;
  const stored = {
    id: uuid(1),
    name: "GREADTH",
    version: 1,
    version_id: uuid(2),
    rubric,
    updated_at: "",
  };

  const choices = rubricChoices(
    [stored],
    [
      { name: "GREADTH", rubric },
      { name: "Better of two", rubric: { ...rubric, items: [newItem("preference", [])] } },
    ],
  );

  expect(choices.map(({ value, isPairwise }) => [value, isPairwise])).toEqual([
    [uuid(1), false],
    ["preset:Better of two", true],
  ]);
});

test("the rubric that a new queue asks is named, also where the project has it already", () => {
  const own = [{ value: uuid(1), label: "GREADTH", isPairwise: false }];
  const shipped = [{ value: "preset:GREADTH", label: "GREADTH (comes …)", isPairwise: false }];
  const queue = { ...EMPTY_QUEUE, preset: "GREADTH" };

  expect(chosenRubric(queue, own)).toBe(uuid(1));
  expect(chosenRubric(queue, shipped)).toBe("preset:GREADTH");
  expect(chosenRubric(queue, [])).toBeNull();
});

test("one in ten items is audited where a second person may answer, until somebody says otherwise", () => {
  expect(usualAudit(EMPTY_QUEUE, 2)).toBe(10);
  expect(usualAudit(EMPTY_QUEUE, 1)).toBe(0);
  expect(usualAudit({ ...EMPTY_QUEUE, people: [7] }, 2)).toBe(0);
  expect(usualAudit({ ...EMPTY_QUEUE, annotators_per_item: 2 }, 9)).toBe(0);
});

test("the form of a queue shows the usual audit and sends what a person makes of it", async () => {
  const made = record("post", "/queues", { id: uuid(5) }, 201);
  server.use(
    answer("get", "/session", session()),
    answer("get", "/queues", { items: [] }),
    answer("get", "/rubrics", { items: [] }),
    answer("get", "/rubrics/presets", { items: [] }),
    answer("get", "/queues/people", {
      items: [
        { id: 1, name: "ada" },
        { id: 2, name: "bob" },
      ],
    }),
    made.handler,
  );
  const { user } = renderScreen({ path: "/queues", element: <QueuesPage />, at: "/queues" });
  await user.click(await screen.findByRole("button", { name: "Create a queue" }));
  const share = await screen.findByLabelText("Audited (%)");
  await waitFor(() => expect(share).toHaveValue("10"));

  await user.type(screen.getByLabelText("Name"), "Turns");
  await user.clear(share);
  await user.type(share, "25");
  await user.click(screen.getByRole("button", { name: "Create queue" }));

  await waitFor(() => expect(made.requests[0]?.body).toMatchObject({ audit_percent: 25 }));
});
