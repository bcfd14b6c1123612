import { http, HttpResponse } from "msw";
import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { FamilyMember } from "@/api/types";
import { TapePage } from "@/features/tape-editor/TapePage";
import { buildMember } from "@/features/tape-editor/testing/builders";
import { buildTape, serveTape, TAPE } from "@/features/tape-editor/testing/page";
import { listenForKeys } from "@/lib/keys";
import { answer, record } from "@/testing/answers";
import { session, uuid } from "@/testing/builders";
import { FakeSocket } from "@/testing/FakeSocket";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

let stopKeys: () => void;
beforeEach(() => {
  FakeSocket.install();
  stopKeys = listenForKeys();
});
afterEach(() => stopKeys());

async function openTape(tape = buildTape(), query = "", family: FamilyMember[] = []) {
  serveTape(tape);
  server.use(
    answer("get", "/step-kinds", []),
    answer("get", `/tapes/${TAPE}/family`, { items: family, stride: 1, count: family.length }),
  );
  const at = `/t/${TAPE}${query}`;
  const { user } = renderScreen({ path: "/t/:tapeId", element: <TapePage />, at });
  await screen.findByRole("button", { name: "More for this tape" });
  return user;
}

test("the menu names everything that can be done with the tape, each with its key", async () => {
  const user = await openTape();

  await user.keyboard("m");

  const lines = within(await screen.findByRole("menu")).getAllByRole("menuitem");
  expect(lines.map((line) => line.textContent)).toEqual([
    "Comparev", "Detailsi", "Replay checkR", "ShareS", "TrainingT", "DatasetsD",
    "Regression testX", "ImproveI", "Pinp", "ArchiveA",
  ]); // prettier-ignore
});

test("a line that leads on shows its own lines in the same menu, and the way back", async () => {
  const user = await openTape();

  await user.click(screen.getByRole("button", { name: "More for this tape" }));
  await user.click(await screen.findByRole("menuitem", { name: /^Share/ }));
  expect(await screen.findByRole("menuitem", { name: "Copy as Markdown" })).toBeVisible();

  await user.click(screen.getByRole("menuitem", { name: "Share" }));
  expect(await screen.findByRole("menuitem", { name: /^Archive/ })).toBeVisible();
});

test("a key leads straight to the lines of its name", async () => {
  const user = await openTape();

  await user.keyboard("v");

  expect(await screen.findByRole("menuitem", { name: "Another tape" })).toBeVisible();
});

test("branches are called alike on the map and where one compares", async () => {
  const words = '#1 content: "Error: nothing" → "$36.00"';
  const root = buildMember(uuid(40), { title: "The price", models: ["small"], step_count: 7 });
  const family = [
    { ...root, outcome: "fail" as const },
    buildMember(TAPE, { parent_id: root.id, forked_at: 1, title: "The price" }),
    buildMember(uuid(41), {
      parent_id: root.id,
      forked_at: 1,
      edit_words: words,
      models: ["large"],
      outcome: "pass",
      score: 0.5,
    }),
  ];
  const served = buildTape({ parent_id: root.id, forked_at: 1 });
  const user = await openTape(served, "", family);

  const map = within(await screen.findByRole("region", { name: "Branches" }));
  const fix = await map.findByRole("link", { name: /→/ });
  expect(fix).toHaveTextContent('#1 → "$36.00" · large');
  expect(fix).toHaveAccessibleName(/passed.*score 0.50/);
  expect(map.getByRole("link", { name: /^The price/ })).toHaveAccessibleName(/failed/);

  await user.keyboard("v");
  const lines = within(await screen.findByRole("menu"));
  expect(await lines.findByRole("menuitem", { name: /The price/ })).toHaveTextContent(
    "parent, 7 steps",
  );
  expect(lines.getByRole("menuitem", { name: /→/ })).toHaveTextContent('#1 → "$36.00" · large');
});

test("the details say what people use; what was recorded raw is folded below", async () => {
  const user = await openTape(
    buildTape({
      task: "refunds-7",
      tags: ["hard"],
      batch_name: "nightly",
      parent_id: uuid(40),
      parent_title: "The first try",
      forked_at: 3,
      metadata: { temperature: 0.5 },
    }),
  );

  await user.keyboard("i");
  const details = within(await screen.findByRole("dialog", { name: "Details of the tape" }));

  expect(details.getByText("refunds-7")).toBeVisible();
  expect(details.getByText("hard")).toBeVisible();
  expect(details.getByText("nightly")).toBeVisible();
  expect(details.getByRole("link", { name: "The first try" })).toBeVisible();
  expect(details.getByText("temperature")).not.toBeVisible();

  await user.click(details.getByText("Context and metadata, as recorded"));
  expect(details.getByText("temperature")).toBeVisible();
});

test("the open tape says what it may be trained for, and changes it", async () => {
  const kept = buildTape({ is_kept_from_training: true, split: "test" });
  const user = await openTape(kept);
  const changed = record("patch", `/tapes/${TAPE}`, { ...kept, is_kept_from_training: false });
  server.use(changed.handler);
  expect(screen.getByRole("img", { name: "Excluded from training" })).toBeVisible();

  await user.keyboard("T");
  expect(await screen.findByLabelText("Selected")).toBeInTheDocument();
  await user.click(screen.getByRole("menuitem", { name: "Allow training" }));

  await waitFor(() => expect(changed.requests[0]?.body).toEqual({ is_kept_from_training: false }));
  await waitFor(() =>
    expect(screen.queryByRole("img", { name: "Excluded from training" })).toBeNull(),
  );
});

test("the open tape says in which datasets it is, and leaves one", async () => {
  const user = await openTape();
  const change = { id: uuid(50), tape_count: 1, changed_count: 1 };
  const removed = record("post", `/datasets/${uuid(60)}/remove`, change);
  server.use(
    answer("get", "/datasets/names", [
      { id: uuid(60), name: "hard", has_tape: true },
      { id: uuid(61), name: "rare", has_tape: false },
    ]),
    removed.handler,
  );

  await user.keyboard("D");
  const chosen = await screen.findByLabelText("Selected");
  expect(chosen.closest("[role=option]")).toHaveTextContent("hard");
  await user.click(screen.getByRole("option", { name: /hard/ }));

  await waitFor(() => expect(removed.requests[0]?.body).toMatchObject({ tape_ids: [TAPE] }));
  expect(await screen.findByText("1 tape removed from “hard”")).toBeVisible();
});

test("a replay whose agent is not known names it and goes on with one that is like it", async () => {
  const nearest = [{ agent_version_id: uuid(7), name: "talker", number: 2, overlap: 0.5 }];
  const message = "No version of 'old talker', which wrote this tape, is known here.";
  const user = await openTape();
  const asked: unknown[] = [];
  server.use(
    http.post(`http://studio.test/api/v1/tapes/${TAPE}/replay`, async ({ request }) => {
      const text = await request.text();
      asked.push(text);
      if (text === "") {
        const error = { code: "writer_unknown", message, details: { nearest } };
        return HttpResponse.json(error, { status: 422 });
      }
      return HttpResponse.json({
        is_identical: true,
        step_count: 2,
        node_run_count: 1,
        divergence: null,
      });
    }),
  );

  await user.keyboard("R");
  expect(await screen.findByText(message)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Replay with talker v2" }));

  expect(await screen.findByText(/The replay is identical/)).toBeVisible();
  expect(asked).toEqual(["", JSON.stringify({ agent_version_id: uuid(7) })]);
});

test("a failing tape becomes a regression test, filled in, with one click", async () => {
  const made = {
    tape_id: uuid(70),
    suite_id: uuid(71),
    suite: "Regression tests",
    name: "Hello",
    kept_count: 1,
    check: { kind: "number", value: 36, within: 0 },
    words: "The last number is 36.",
  };
  const suggested = {
    at: 1,
    start: 1,
    before_answer: 1,
    before_suspect: null,
    check: made.check,
    name: "Hello",
    suite: made.suite,
  };
  const tests = record("post", `/tapes/${TAPE}/regression-test`, made, 201);
  server.use(
    answer("get", `/tapes/${TAPE}/regression-test`, suggested),
    answer("get", "/suites", { items: [], next: null }),
    tests.handler,
  );
  const user = await openTape(buildTape({ expected: "$36.00", outcome: "fail" }));

  await user.keyboard("X");
  const dialog = await screen.findByRole("dialog", { name: "Regression test" });
  expect(
    await within(dialog).findByRole("radio", { name: "The task alone: 1 step" }),
  ).toBeChecked();
  expect(within(dialog).getByRole("textbox", { name: "Number" })).toHaveValue("36");
  await user.click(within(dialog).getByRole("button", { name: "Make the test" }));

  expect(await screen.findByText("“Hello” is a test of “Regression tests”")).toBeVisible();
  expect(screen.getByRole("button", { name: "Show the suite" })).toBeVisible();
  expect(tests.requests[0]?.body).toEqual({
    suite: "Regression tests",
    name: "Hello",
    at: 1,
    check: { kind: "number", value: 36, within: 0 },
  });
});

test("the beginning of the tape up to a step is put into a dataset as a fork", async () => {
  const user = await openTape(buildTape(), "?step=0");
  const forked = record("post", `/tapes/${TAPE}/fork`, { tape_id: uuid(9) }, 201);
  const change = { id: uuid(50), tape_count: 1, changed_count: 1 };
  const added = record("post", `/datasets/${uuid(60)}/add`, change);
  server.use(
    answer("get", "/session", session()),
    answer("get", "/datasets/names", [{ id: uuid(60), name: "hard", has_tape: false }]),
    forked.handler,
    added.handler,
  );

  await user.click(await screen.findByRole("button", { name: "More actions for step 0" }));
  await user.click(await screen.findByText("Add steps up to here to dataset"));
  await user.click(await screen.findByRole("option", { name: /hard/ }));

  await waitFor(() => expect(added.requests[0]?.body).toMatchObject({ tape_ids: [uuid(9)] }));
  expect(forked.requests[0]?.body).toEqual({ at: 1 });
  expect(await screen.findByText("1 tape added to “hard”")).toBeVisible();
});
