import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";

import type { ServerMessage } from "@/api/protocol";
import { TapePage } from "@/features/tape-editor/TapePage";
import {
  buildAdded,
  buildDelta,
  buildStarted,
  buildStep,
  buildState,
} from "@/features/tape-editor/testing/builders";
import { buildTape, serveTape, STEPS, TAPE } from "@/features/tape-editor/testing/page";
import { listenForKeys } from "@/lib/keys";
import { answer, record, refuse } from "@/testing/answers";
import { job, runResult, uuid } from "@/testing/builders";
import { FakeSocket } from "@/testing/FakeSocket";
import { renderScreen } from "@/testing/render";
import { toColumns } from "@/testing/outline";
import { server } from "@/testing/server";

const DRAFT = { version: 1, operations: [], applied_count: 1, updated_at: null };

function open(query = "") {
  return renderScreen({ path: "/t/:tapeId", element: <TapePage />, at: `/t/${TAPE}${query}` });
}

beforeEach(() => FakeSocket.install());

test("a tape shows its steps as cards below the header of their node run", async () => {
  serveTape(buildTape());
  open();

  const card = await screen.findByRole("article", { name: "Step 0, user" });

  expect(await within(card).findByText("Hello")).toBeVisible();
  expect(screen.getByText("chat.answer")).toBeVisible();
  expect(screen.getByText("2 steps")).toBeVisible();
});

test("a line of the outline says the gist and what the call took; the kind is in its hint", async () => {
  const priced = { call_id: uuid(50), output_tokens: 1200, cost_micro_usd: 3100 };
  const asked = buildStep(1, { kind: "final_answer_action", gist: "It is 391", ...priced });
  const unpriced = { call_id: uuid(51), output_tokens: 40, cost_micro_usd: null };
  const silent = buildStep(2, { kind: "set_next_node", family: "control", ...unpriced });
  const steps = [...STEPS.slice(0, 1), asked, silent];
  serveTape(buildTape({ step_count: 3 }), steps);
  open();

  const outline = within(await screen.findByRole("navigation", { name: "Steps" }));
  const line = await outline.findByRole("button", { name: /It is 391/ });
  expect(line).toHaveAttribute("title", expect.stringContaining("1 final_answer_action"));
  expect(within(line).getByText("final_answer_action")).toHaveClass("ts-visually-hidden");
  expect(within(line).getByTitle(/^Output tokens and cost/)).toHaveTextContent("1.2k $0.0031");
  const control = outline.getByRole("button", { name: /set_next_node/ });
  expect(within(control).getByTitle(/^Output tokens and cost/)).toHaveTextContent(/^40$/);
});

const LANE_1 = { lane: "1", agent: "boss/optimist" };
const LANE_2 = { lane: "2", agent: "boss/critic" };
const JOIN = { kind: "join", answered: [2], cancelled: [1] };
const IN_LANES = [
  buildStep(0, { kind: "call_together", agent: "boss", gist: "both at once" }),
  buildStep(1, { kind: "thought", gist: "Hm", ...LANE_1 }),
  buildStep(2, { kind: "thought", gist: "Well", ...LANE_2 }),
  buildStep(3, { kind: "respond", gist: "No", ...LANE_2 }),
  buildStep(4, { kind: "join", family: "observation", agent: "", node: "", body: JOIN }),
];

test("steps of agents that were called together say whose they are, and a lane folds", async () => {
  serveTape(buildTape({ step_count: 5 }), IN_LANES);
  const { user } = open();

  const card = await screen.findByRole("article", { name: "Step 2, thought" });
  expect(within(card).getByTitle("lane 2, critic")).toBeVisible();
  const joined = screen.getByRole("article", { name: "Step 4, join" });
  expect(joined).toHaveTextContent("critic (lane 2) answered; optimist (lane 1) was cancelled.");
  expect(joined).toHaveTextContent("Called: both at once.");

  const map = within(screen.getByRole("navigation", { name: "Steps" }));
  const head = await map.findByRole("button", { name: /lane 2 critic answered 2 steps/ });
  await user.click(head);

  await waitFor(() => expect(map.queryByRole("button", { name: /Well/ })).toBeNull());
  expect(screen.queryByRole("article", { name: "Step 2, thought" })).toBeNull();
  expect(screen.getByRole("article", { name: "Step 1, thought" })).toBeVisible();
  expect(screen.queryByText(/hidden step/)).toBeNull();
  expect(head).toHaveAttribute("aria-expanded", "false");
});

test("a key folds the lane of the chosen step, and unfolds it", async () => {
  serveTape(buildTape({ step_count: 5 }), IN_LANES);
  const stop = listenForKeys();
  const { user } = open("?step=3");
  await screen.findByRole("article", { name: "Step 3, respond" });
  await screen.findAllByRole("button", { name: /lane 2 critic answered/ });

  await user.keyboard("{{");
  await waitFor(() => expect(screen.queryByRole("article", { name: /Step 3/ })).toBeNull());
  await user.keyboard("}");
  expect(await screen.findByRole("article", { name: "Step 3, respond" })).toBeVisible();
  stop();
});

test("a key opens the form of a step with the caret at the end of its first field", async () => {
  serveTape(buildTape());
  server.use(record("put", `/tapes/${TAPE}/draft`, DRAFT).handler);
  const stop = listenForKeys();
  const { user } = open("?step=0");
  await within(await screen.findByRole("article", { name: "Step 0, user" })).findByText("Hello");

  await user.keyboard("e");
  const field = await screen.findByRole("textbox", { name: /content/ });
  await waitFor(() => expect(field).toHaveFocus());
  await user.keyboard(" again");

  expect(field).toHaveValue("Hello again");
  stop();
});

test("an edit is saved as a draft and makes what follows stale", async () => {
  serveTape(buildTape());
  const { handler, requests } = record("put", `/tapes/${TAPE}/draft`, DRAFT);
  server.use(handler);
  const { user } = open("?step=0");

  const card = await screen.findByRole("article", { name: "Step 0, user" });
  await within(card).findByText("Hello");
  await user.click(within(card).getByRole("button", { name: "Edit" }));
  await user.type(await screen.findByRole("textbox", { name: /content/ }), " again");

  await waitFor(() => expect(screen.getByText("Saved")).toBeVisible());
  expect(requests.at(-1)?.body).toMatchObject({
    operations: [{ op: "replace", position: 0, step: { kind: "user", content: "Hello again" } }],
    applied_count: 1,
  });
  expect(screen.getByRole("note")).toHaveTextContent(
    "1 later step is outdated, recorded before you edited step 0; Resume replaces it",
  );
  expect(screen.getByRole("button", { name: "Resume from step 1" })).toBeVisible();
});

describe("a step too large for a page", () => {
  const text = "A very long text. ".repeat(10);
  const large = buildStep(0, {
    kind: "user",
    family: "observation",
    body: { kind: "user", content: text.slice(0, 40) },
    cut: { size: 500_000, places: ["/content"] },
  });
  const whole = { ...large, body: { kind: "user", content: text }, cut: null };

  test("shows its beginning, says so, and all of it when asked", async () => {
    serveTape(buildTape(), [large, ...STEPS.slice(1)]);
    server.use(answer("get", `/tapes/${TAPE}/steps/0`, whole));
    const { user } = open();

    const card = await screen.findByRole("article", { name: "Step 0, user" });
    const notice = await within(card).findByRole("note");
    expect(notice).toHaveTextContent("This step has 500.0 kB; only the beginning of content is");
    expect(within(notice).getByRole("link", { name: "Download" })).toHaveAttribute(
      "href",
      `/api/v1/tapes/${TAPE}/steps/0`,
    );
    await user.click(within(notice).getByRole("button", { name: "Show the whole step" }));

    expect(await within(card).findByText(text.trim())).toBeVisible();
    expect(within(card).queryByRole("note")).not.toBeInTheDocument();
  });

  test("is edited as a whole, never as its beginning", async () => {
    serveTape(buildTape(), [large, ...STEPS.slice(1)]);
    server.use(answer("get", `/tapes/${TAPE}/steps/0`, whole));
    const { handler, requests } = record("put", `/tapes/${TAPE}/draft`, DRAFT);
    server.use(handler);
    const { user } = open("?step=0");

    const card = await screen.findByRole("article", { name: "Step 0, user" });
    await within(card).findByRole("note");
    await user.click(within(card).getByRole("button", { name: "Edit" }));
    const box = await screen.findByRole("textbox", { name: /content/ });
    expect(box).toHaveValue(text);
    await user.type(box, "End");

    await waitFor(() => expect(screen.getByText("Saved")).toBeVisible());
    expect(requests.at(-1)?.body).toMatchObject({
      operations: [{ op: "replace", step: { kind: "user", content: `${text}End` } }],
    });
  });

  test("is not edited here when even whole it is too much", async () => {
    const huge = { ...large, cut: { size: 100_000_000, places: ["/content"] } };
    serveTape(buildTape(), [huge, ...STEPS.slice(1)]);
    const { user } = open("?step=0");

    const card = await screen.findByRole("article", { name: "Step 0, user" });
    await within(card).findByRole("note");
    expect(within(card).queryByRole("button", { name: /whole step/ })).not.toBeInTheDocument();
    await user.click(within(card).getByRole("button", { name: "Edit" }));

    expect(await within(card).findByText(/too large to edit here/)).toBeVisible();
    expect(screen.queryByRole("textbox", { name: /content/ })).not.toBeInTheDocument();
  });
});

test("a run streams into a card and its steps stand there once", async () => {
  serveTape(buildTape({ job: job(), active_job_id: uuid(100) }));
  open();
  await screen.findByRole("article", { name: "Step 1, assistant" });
  const socket = FakeSocket.newest();
  const send = (message: ServerMessage) => act(() => socket.send(message));

  act(() => socket.accept());
  send(buildStarted());
  send(buildDelta("Once upon", { seq: 2 }));
  expect(await screen.findByText(/Once upon/)).toBeVisible();

  const added = buildAdded(2, { body: { kind: "assistant", content: "Once upon a time" } });
  send({ ...added, seq: 3, tape_id: TAPE });
  send({ ...added, seq: 3, tape_id: TAPE });

  expect(await screen.findByText("Once upon a time")).toBeVisible();
  expect(screen.getAllByRole("article", { name: "Step 2, assistant" })).toHaveLength(1);
  const stopped = job({ state: "cancelled", cancelled_by: "ada" });
  server.use(answer("get", `/jobs/${stopped.id}`, stopped));
  send(buildState("cancelled", { seq: 4, cancelled_by: "ada" }));
  expect(await screen.findByText(/Stopped by ada/)).toBeVisible();
});

test("agents that were called together write in a card each", async () => {
  serveTape(buildTape({ job: job(), active_job_id: uuid(100) }));
  open();
  await screen.findByRole("article", { name: "Step 1, assistant" });
  const socket = FakeSocket.newest();
  const send = (message: ServerMessage) => act(() => socket.send(message));

  act(() => socket.accept());
  send(buildStarted("a", "1"));
  send({ ...buildStarted("b", "2"), seq: 2 });
  send(buildDelta("Yes", { seq: 3, prompt_id: "a" }));
  send(buildDelta("No", { seq: 4, prompt_id: "b" }));
  send(buildDelta(", of course", { seq: 5, prompt_id: "a" }));

  const first = await screen.findByRole("article", { name: "Being written in lane 1" });
  await waitFor(() => expect(first).toHaveTextContent("Yes, of course"));
  const second = screen.getByRole("article", { name: "Being written in lane 2" });
  expect(second).toHaveTextContent("No");
});

test("a run that is paused marks the card of its step", async () => {
  const hit = { kind: "kind", value: "user", position: 0 } as const;
  const paused = job({ state: "paused", run: runResult({ hit }) });
  serveTape(buildTape({ job: paused, active_job_id: uuid(100) }));
  server.use(answer("get", `/jobs/${uuid(100)}`, paused));
  open();

  const card = await screen.findByRole("article", { name: "Step 0, user" });
  expect(await within(card).findByText("paused here")).toBeVisible();
  expect(screen.getByRole("article", { name: "Step 1, assistant" })).not.toHaveTextContent(
    "paused",
  );
});

test("a tape that cannot be loaded says why and tries again", async () => {
  server.use(
    refuse("get", `/tapes/${TAPE}`, "Tape not found.", 404),
    answer("get", `/tapes/${TAPE}/outline`, toColumns([])),
  );
  open();

  expect(await screen.findByText("Tape not found.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Go to tapes" })).toBeVisible();
});

describe("the agent of a step", () => {
  const KNOWN = { agent_id: uuid(300), agent_version_id: uuid(310), agent_version: 1 };

  test("is edited next to the tape, from the step's menu or by a key", async () => {
    serveTape(buildTape(KNOWN));
    const stop = listenForKeys();
    const { user, address } = open("?step=1");

    await user.click(await screen.findByRole("button", { name: "More actions for step 1" }));
    expect(await screen.findByRole("menuitem", { name: "Edit agent here" })).toHaveAttribute(
      "href",
      `/agents/${uuid(300)}/edit?tape=${TAPE}&step=1`,
    );
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("menu")).not.toBeInTheDocument());
    await user.keyboard("a");

    await waitFor(() => expect(address()).toBe(`/agents/${uuid(300)}/edit?tape=${TAPE}&step=1`));
    stop();
  });

  test("is not offered where no version of it is known", async () => {
    serveTape(buildTape());
    const { user } = open("?step=1");

    await user.click(await screen.findByRole("button", { name: "More actions for step 1" }));

    expect(await screen.findByRole("menuitem", { name: "Copy as JSON" })).toBeVisible();
    expect(screen.queryByRole("menuitem", { name: "Edit agent here" })).not.toBeInTheDocument();
  });
});
