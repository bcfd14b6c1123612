import { screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import type { Annotation } from "@/api/types";
import { TapePage } from "@/features/tape-editor/TapePage";
import { buildTape, serveTape, TAPE } from "@/features/tape-editor/testing/page";
import { answer, record } from "@/testing/answers";
import { session, uuid } from "@/testing/builders";
import { FakeSocket } from "@/testing/FakeSocket";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const VERDICT: Annotation = {
  id: uuid(70),
  tape_id: TAPE,
  position: null,
  field: "",
  start: null,
  end: null,
  quote: "",
  kind: "score",
  name: "Three fixes",
  value: 0.9,
  scale: "fraction",
  text: "It says 42.",
  source: "judge",
  source_name: "openai/judge",
  outcome: null,
  can_edit: false,
  can_delete: true,
  created_at: "2026-01-02T12:00:00Z",
  updated_at: "2026-01-02T12:00:00Z",
};
const NOTE: Annotation = {
  ...VERDICT,
  id: uuid(71),
  kind: "note",
  name: "",
  value: null,
  scale: null,
  text: "Look here",
  source: "person",
  source_name: "ada",
  can_edit: true,
};

/** A server that keeps notes and remembers the deleted ones. */
function serveNotes(...notes: Annotation[]) {
  const deleted = new Set<string>();
  const at = `http://studio.test/api/v1/tapes/${TAPE}/annotations`;
  server.use(
    http.get(at, () => HttpResponse.json({ items: notes.filter(({ id }) => !deleted.has(id)) })),
    http.delete(`${at}/:id`, ({ params }) => {
      deleted.add(String(params.id));
      return new HttpResponse(null, { status: 204 });
    }),
    http.post(`${at}/:id/restore`, ({ params }) => {
      deleted.delete(String(params.id));
      return HttpResponse.json(notes.find(({ id }) => id === params.id));
    }),
  );
}

function open() {
  return renderScreen({
    path: "/t/:tapeId",
    element: <TapePage />,
    at: `/t/${TAPE}?view=notes&step=1`,
  });
}

beforeEach(() => FakeSocket.install());

test("what a judge said of the tape stands among its notes", async () => {
  serveTape(buildTape());
  serveNotes(VERDICT);
  open();

  const said = await screen.findByText("It says 42.");
  const item = within(said.closest("li") ?? document.body);

  expect(item.getByText("openai/judge")).toBeVisible();
  expect(item.getByText("judge")).toBeVisible();
  expect(item.getByText("Three fixes")).toBeVisible();
  expect(item.getByText("0.9")).toBeVisible();
});

test("a deleted note comes back by Undo", async () => {
  serveTape(buildTape());
  serveNotes(NOTE);
  const { user } = open();

  await screen.findByText("Look here");
  await user.click(screen.getByRole("button", { name: "Delete the note" }));
  const undo = await screen.findByRole("button", { name: "Undo" });
  expect(screen.getByText("The note was deleted")).toBeVisible();
  expect(screen.queryByText("Look here")).not.toBeInTheDocument();

  await user.click(undo);
  expect(await screen.findByText("Look here")).toBeVisible();
});

test("the whole tape has labels too", async () => {
  serveTape(buildTape());
  serveNotes(VERDICT, { ...NOTE, kind: "label", name: "keep", text: "" });
  const added = record("post", `/tapes/${TAPE}/annotations`, NOTE, 201);
  server.use(added.handler);
  const { user } = open();

  expect(await screen.findByText("keep")).toBeVisible();
  await user.type(screen.getByRole("textbox", { name: "Label the whole tape" }), "golden{Enter}");

  await waitFor(() => expect(added.requests).toHaveLength(1));
  expect(added.requests[0]?.body).toMatchObject({ position: null, kind: "label", name: "golden" });
});

test("a note, a label and a score are about the field that is chosen", async () => {
  serveTape(buildTape());
  serveNotes({
    ...NOTE,
    position: 1,
    kind: "label",
    name: "too long",
    field: "/content",
    text: "",
  });
  const added = record("post", `/tapes/${TAPE}/annotations`, NOTE, 201);
  server.use(added.handler);
  const { user } = open();
  const about = await screen.findByRole("combobox", { name: "About" });
  await screen.findByRole("option", { name: "Its field content" });
  expect(screen.getByText("/content")).toBeVisible();

  await user.selectOptions(about, "Its field content");
  await user.type(
    screen.getByRole("textbox", { name: "Label the selected field" }),
    "vague{Enter}",
  );
  const score = within(screen.getByRole("group", { name: "Score of the selected field" }));
  await user.click(score.getByRole("button", { name: "Thumbs up" }));
  expect(screen.queryByText("Correction")).toBeNull();
  const words = screen.getByPlaceholderText("Note on the selected field");
  await user.type(words, "Say it shorter{Control>}{Enter}{/Control}");

  await waitFor(() => expect(added.requests).toHaveLength(3));
  for (const { body } of added.requests) {
    expect(body).toMatchObject({ position: 1, field: "/content", start: null, end: null });
  }
});

test("a step is kept from training by its menu, and allowed again", async () => {
  const label: Annotation = {
    ...NOTE,
    position: 1,
    kind: "label",
    name: "kept-from-training",
    text: "",
  };
  const added = record("post", `/tapes/${TAPE}/annotations`, label, 201);
  serveTape(buildTape());
  serveNotes(VERDICT);
  server.use(added.handler, answer("get", "/session", session()), answer("get", "/step-kinds", []));
  const { user } = open();
  const choose = async (item: string) => {
    const card = await screen.findByRole("article", { name: /^Step 1,/ });
    await user.click(within(card).getByRole("button", { name: "More actions for step 1" }));
    // Without a layout the menu counts as detached, so its items have no role to be found by.
    await user.click(await screen.findByText(item));
  };

  await screen.findByText(VERDICT.name);
  serveNotes(VERDICT, label);
  await choose("Exclude from training");
  await waitFor(() =>
    expect(added.requests[0]?.body).toMatchObject({ position: 1, kind: "label", name: label.name }),
  );
  await screen.findByText(label.name);
  await choose("Allow training");

  expect(await screen.findByText("The label was deleted")).toBeVisible();
  await waitFor(() => expect(screen.queryByText(label.name)).not.toBeInTheDocument());
});

test("a note on a step leads to the agent, with the note and its step in view", async () => {
  serveTape(buildTape({ agent_id: uuid(300), agent_version_id: uuid(310), agent_version: 1 }));
  serveNotes(VERDICT, { ...NOTE, position: 1 });
  server.use(answer("get", "/session", session()));
  open();

  const item = within((await screen.findByText("Look here")).closest("li") ?? document.body);

  expect(item.getByRole("link", { name: "Edit agent here" })).toHaveAttribute(
    "href",
    `/agents/${uuid(300)}/edit?tape=${TAPE}&step=1&note=${NOTE.id}`,
  );
  // A score of the whole tape is about no step.
  expect(screen.getAllByRole("link", { name: "Edit agent here" })).toHaveLength(1);
});
