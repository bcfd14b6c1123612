import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";

import { changedFields, improvedIn, readRevision } from "@/features/tape-editor/improving/revision";
import { TapePage } from "@/features/tape-editor/TapePage";
import { buildStep } from "@/features/tape-editor/testing/builders";
import { buildTape, serveTape, STEPS, TAPE } from "@/features/tape-editor/testing/page";
import { listenForKeys } from "@/lib/keys";
import { answer, record, refuse } from "@/testing/answers";
import { model, session, uuid } from "@/testing/builders";
import { FakeSocket } from "@/testing/FakeSocket";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

let stopKeys: () => void;
beforeEach(() => {
  FakeSocket.install();
  stopKeys = listenForKeys();
});
afterEach(() => stopKeys());

const IMPROVED = uuid(40);
const WAS = { kind: "math_thought", sentence: 2, operation: "subtract" };
const BODY = {
  kind: "improver_revision",
  position: 2,
  was: WAS,
  steps: [
    { kind: "user", content: "…" },
    { ...WAS, operation: "add" },
  ],
};

function showTape(context: unknown = { improves: IMPROVED }, role: "member" | "viewer" = "member") {
  const step = buildStep(2, { kind: BODY.kind, family: "observation", gist: "", body: BODY });
  serveTape(buildTape({ context, step_count: 3 }), [...STEPS, step]);
  server.use(answer("get", "/session", session({ role })), answer("get", "/step-kinds", []));
  return renderScreen({ path: "/t/:tapeId", element: <TapePage />, at: `/t/${TAPE}` });
}

test("a revision shows what it changes and is written into a fork of its tape", async () => {
  const written = record("post", `/tapes/${TAPE}/steps/2/revision`, { tape_id: uuid(41) }, 201);
  server.use(written.handler);
  const { user, router } = showTape();
  const card = within(await screen.findByRole("article", { name: "Step 2, improver_revision" }));

  expect(card.getByRole("link", { name: "the improved tape" })).toHaveAttribute(
    "href",
    `/t/${IMPROVED}?step=2`,
  );
  expect(card.getByText("subtract").tagName).toBe("DEL");
  expect(card.getByText("add").tagName).toBe("INS");
  const visited: string[] = [];
  router.subscribe(({ location }) => visited.push(location.pathname + location.search));
  await user.click(card.getByRole("button", { name: "Write into the tape" }));

  await waitFor(() => expect(visited).toContain(`/t/${uuid(41)}?step=2`));
  await user.click(await screen.findByRole("button", { name: "Compare with the original" }));
  await waitFor(() => expect(visited).toContain(`/t/${IMPROVED}/diff/${uuid(41)}`));
  expect(written.requests).toHaveLength(1);
});

test("a revision that does not fit says why, and the page stays", async () => {
  const message = "There is no step 9: the tape has 3 steps.";
  server.use(refuse("post", `/tapes/${TAPE}/steps/2/revision`, message, 422));
  const { user, address } = showTape();

  await user.click(await screen.findByRole("button", { name: "Write into the tape" }));

  expect(await screen.findByText(message)).toBeVisible();
  expect(address()).toContain(`/t/${TAPE}`);
});

test("a revision of a tape that is not named cannot be written", async () => {
  showTape({ improves: "https://example.com" });

  expect(await screen.findByText(/does not name the tape that it improves/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Write into the tape" })).toBeNull();
});

test("a viewer sees the revision without the button", async () => {
  showTape(undefined, "viewer");

  expect(await screen.findByRole("link", { name: "the improved tape" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Write into the tape" })).toBeNull();
});

test("the improver is started on the open tape, with a model or without", async () => {
  const started = { tape_id: uuid(42), job_id: uuid(43) };
  const improve = record("post", `/tapes/${TAPE}/improve`, started, 201);
  const { user, router } = showTape();
  server.use(answer("get", "/models", [model({ id: uuid(7), name: "large" })]), improve.handler);
  await screen.findByRole("button", { name: "More for this tape" });

  await user.keyboard("I");
  const dialog = within(await screen.findByRole("dialog", { name: "Improve this tape" }));
  await user.click(await dialog.findByRole("combobox", { name: "Model" }));
  await user.click(await screen.findByRole("option", { name: "large" }));
  const visited: string[] = [];
  router.subscribe(({ location }) => visited.push(location.pathname));
  await user.click(dialog.getByRole("button", { name: "Improve" }));

  await waitFor(() => expect(visited).toContain(`/t/${uuid(42)}`));
  expect(improve.requests[0]?.body).toMatchObject({ model_id: uuid(7) });
});

test("whatever a step or a context says, only a revision and an id are read", () => {
  const odd = [
    { ...BODY, kind: "user" },
    { ...BODY, position: "2" },
    { ...BODY, steps: [] },
  ];

  expect(odd.map(readRevision)).toEqual([null, null, null]);
  expect([null, "x", [], { improves: 3 }, { improves: `${IMPROVED}/x` }].map(improvedIn)).toEqual(
    Array(5).fill(null),
  );
  const now = { kind: "math_thought", operation: "add", note: "new" };
  expect(changedFields({ position: 0, was: WAS, now }).map(({ path, op }) => [path, op])).toEqual([
    ["sentence", "removed"],
    ["operation", "changed"],
    ["note", "added"],
  ]);
});
