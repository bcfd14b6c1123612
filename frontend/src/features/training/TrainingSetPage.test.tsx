import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { ExampleRow, ExampleTokens } from "@/api/types";
import { serveTraining, SET } from "@/features/training/testing";
import { TrainingSetPage } from "@/features/training/TrainingSetPage";
import { listenForKeys } from "@/lib/keys";
import { answer, refuse } from "@/testing/answers";
import { uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const PATH = `/training-sets/${SET.id}`;

function row(number: number): ExampleRow {
  return {
    id: `call-${number}`,
    side: "train",
    number,
    tape: uuid(1),
    step: number,
    writer: number === 1 ? "person" : "model",
    length: 40,
    asked: `Question ${number}`,
    answered: "Certainly",
    is_recorded: false,
    reward: null,
    weight: null,
    call_count: 1,
    has_reasoning: false,
  };
}

const TOKENS: ExampleTokens = {
  base: "minute",
  problem: "",
  template: { keeps_prefixes: true, marks_generation: false },
  template_problem: "",
  context_length: 4,
  sequences: [
    {
      role: "learnt",
      hidden_count: 0,
      token_count: 5,
      trained_count: 2,
      is_recorded: false,
      is_retokenized: true,
      is_text_kept: true,
      loses_thoughts: true,
      pieces: [
        { text: "<|user|>", ids: [2], weight: 0 },
        { text: "😀", ids: [177, 258], weight: 0 },
        { text: "Yes", ids: [9], weight: 1 },
        { text: "<|end|>", ids: [0], weight: 1 },
      ],
    },
  ],
};

const asked: URLSearchParams[] = [];

let stop: () => void;
beforeEach(() => {
  stop = listenForKeys();
  serveTraining();
  asked.length = 0;
  server.use(
    answer("get", PATH, SET),
    http.get(`http://studio.test/api/v1${PATH}/examples`, ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query);
      const ids = query.getAll("example");
      const rows = [0, 1, 2].map(row);
      const items = ids.length > 0 ? rows.filter(({ id }) => ids.includes(id)) : rows;
      return HttpResponse.json({ items, total: items.length });
    }),
    answer("get", `${PATH}/tokens`, TOKENS),
  );
});

afterEach(() => stop());

function open(search = "") {
  return renderScreen({
    path: "/training/sets/:setId",
    element: <TrainingSetPage />,
    at: `/training/sets/${SET.id}${search}`,
  });
}

test("an example is shown as the tokens of a base, each with its id", async () => {
  const { user, address } = open();

  await user.click(await screen.findByRole("button", { name: "Question 0" }));
  const pane = within(await screen.findByRole("article", { name: "Example 1" }));
  expect(await pane.findByText("5 tokens made from text, 2 trained")).toBeVisible();
  expect(pane.getByText("Yes")).toHaveAttribute("data-learnt");
  expect(pane.getByText("<|user|>")).not.toHaveAttribute("data-learnt");
  expect(pane.getByRole("link", { name: /step 0/ })).toHaveAttribute(
    "href",
    `/t/${uuid(1)}?step=0`,
  );
  fireEvent.pointerOver(pane.getByText("😀"));
  expect(pane.getByText('Token 2, ids 177, 258, "😀", not trained')).toBeVisible();
  fireEvent.pointerLeave(pane.getByText("😀").closest("[dir]") ?? document.body);
  fireEvent.change(pane.getByRole("slider"), { target: { value: "3" } });
  expect(pane.getByText('Token 4, id 9, "Yes", trained')).toBeVisible();

  await user.keyboard("j");
  expect(address()).toContain("example=call-1");
  expect(await screen.findByText("written by a person")).toBeVisible();
  await user.keyboard("{Escape}");
  expect(address()).not.toContain("example=");
});

test("what would go wrong in training is said before it", async () => {
  const { user } = open("?example=call-0");

  const notes = within(await screen.findByRole("list", { name: "Notes on the example" }));
  expect(notes.getByText(/5 tokens are more than the 4 that minute was made for/)).toBeVisible();
  expect(notes.getByText(/^Tokenized as a whole, the text would give other tokens/)).toBeVisible();
  expect(notes.getByText(/^The chat template of minute has no place for thoughts/)).toBeVisible();
  const longest = screen.getByRole("textbox", { name: "Longest example" });
  await user.type(longest, "8");
  expect(screen.queryByText(/too long/)).toBeNull();
  expect(screen.getByText("Marks nothing as generated:")).toBeVisible();
});

test("a set and its examples say which tokens are recorded", async () => {
  const facts = {
    ...SET.facts,
    base: "minute",
    recorded_count: 8,
    rebuilt: [{ why: "No tokens were recorded with it.", count: 3 }],
  };
  const [sequence] = TOKENS.sequences;
  server.use(
    answer("get", PATH, { ...SET, facts }),
    answer("get", `${PATH}/examples`, {
      items: [{ ...row(0), is_recorded: true, call_count: 2, reward: 0, weight: -0.577 }],
      total: 1,
    }),
    answer("get", `${PATH}/tokens`, {
      ...TOKENS,
      sequences: [{ ...sequence, is_recorded: true }],
    }),
  );
  open("?example=call-0");

  expect(await screen.findByText("5 tokens as recorded, 2 trained")).toBeVisible();
  expect(screen.getByText("2 LLM calls in one sequence")).toBeVisible();
  expect(screen.getByText("worse than its group, weight -0.58")).toBeVisible();
  expect(screen.getByText("Made for minute.")).toBeVisible();
  expect(screen.getByText("8 examples with the tokens that were recorded")).toBeVisible();
  expect(
    screen.getByText("3 examples made from text: No tokens were recorded with it."),
  ).toBeVisible();
});

test("a mixture says what it is made of", async () => {
  const part = {
    training_set_id: uuid(61),
    name: "Edits",
    kind: "chat",
    weight: 30,
    available_count: 3,
    learnt_count: 6,
  };
  server.use(answer("get", PATH, { ...SET, facts: { ...SET.facts, parts: [part] } }));
  open();

  expect(await screen.findByText("6 of Edits, which has 3 examples to learn")).toBeVisible();
});

test("each format of an export says what it cannot hold", async () => {
  const lost = [{ what: "Weights: each example counts alike.", count: 4 }];
  server.use(
    answer("get", `${PATH}/formats`, [
      { format: "examples", lost: [] },
      { format: "trl", lost },
    ]),
  );
  const { user } = open();

  await user.click(await screen.findByRole("button", { name: "Export" }));

  const [trl, heldOut] = await screen.findAllByRole("menuitem", { name: /for TRL/ });
  expect(trl).toHaveTextContent("Not exported of 4: Weights: each example counts alike.");
  expect(trl).toHaveAttribute(
    "href",
    expect.stringContaining(`${PATH}/export?format=trl&side=train`),
  );
  expect(heldOut).toHaveAttribute("href", expect.stringContaining("side=held_out"));
  const [text] = await screen.findAllByRole("menuitem", { name: /^Text and spans, as minute/ });
  expect(text).toHaveAttribute(
    "href",
    expect.stringContaining(`${PATH}/texts?base=minute&side=train`),
  );
});

test("a start that is cut is struck through", async () => {
  open("?example=call-0&most=3&edges=1");

  const first = await screen.findByText("<|user|>");
  expect(first).toHaveAttribute("data-cut");
  expect(screen.getByText("Yes")).not.toHaveAttribute("data-cut");
  expect(screen.getByText(/^2 tokens too long: left out, or/)).toBeVisible();
});

test("a base that cannot write it says why; messages can be read all the same", async () => {
  server.use(
    refuse("get", `${PATH}/tokens`, "There is no base model 'x'.", 422),
    answer("get", `${PATH}/example`, {
      id: "call-0",
      origin: {},
      messages: [{ role: "user", content: "Where is the <b>beacon</b>?" }],
      tools: [],
      answer: { role: "assistant", content: "On the cliff." },
      rejected: { role: "assistant", content: "In the sea." },
    }),
  );
  const { user } = open("?example=call-0&base=x");

  expect(await screen.findByText("There is no base model 'x'.")).toBeVisible();
  await user.click(screen.getByText("Messages"));

  expect(await screen.findByText("Where is the <b>beacon</b>?")).toBeVisible();
  expect(screen.getByText("On the cliff.").closest("[data-use]")).toHaveTextContent("preferred");
  expect(screen.getByText("In the sea.").closest("[data-use]")).toHaveTextContent("original");
});

test("examples are asked for by words, writer and length; the address keeps it", async () => {
  const { user, address } = open("?writer=person&from=10");

  await user.type(await screen.findByRole("textbox", { name: "Find examples" }), "sea");
  await user.click(screen.getByText("Held out"));

  await waitFor(() =>
    expect(Object.fromEntries(asked.at(-1) ?? [])).toEqual({
      side: "held_out",
      text: "sea",
      writer: "person",
      shortest: "10",
      start: "0",
      limit: "100",
    }),
  );
  expect(address()).toContain("find=sea");
  expect(screen.getByText("2 tapes left out: It is excluded from training.")).toBeVisible();
});
