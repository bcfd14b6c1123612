import { notifications } from "@mantine/notifications";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { delay, http, HttpResponse } from "msw";
import { afterEach, beforeEach, expect, test } from "vitest";

import { TapesPage } from "@/features/tapes/TapesPage";
import { listCommands } from "@/lib/commands";
import { listenForKeys } from "@/lib/keys";
import { openTour } from "@/lib/tour";
import { answer, record, refuse } from "@/testing/answers";
import { job, tapeRow, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

let stopKeys: () => void;
beforeEach(() => {
  stopKeys = listenForKeys();
  window.localStorage.clear();
  server.use(
    answer("get", "/batches", []),
    answer("get", "/tapes/completion", { start: 0, end: 0, options: [] }),
    answer("get", "/tapes/tags", []),
    answer("post", "/tapes/count", { tape_count: 1 }),
    answer("get", "/tapes/length", { tape_count: 1, is_cut: false }),
  );
});
afterEach(() => stopKeys());

const open = (at = "/tapes") => renderScreen({ path: "/tapes", element: <TapesPage />, at });
const page = (...items: ReturnType<typeof tapeRow>[]) => ({ items, next: null });

// Toasts outlive a page.
afterEach(() => {
  notifications.clean();
  notifications.cleanQueue();
});

test("tapes are listed with their numbers and a link", async () => {
  server.use(answer("get", "/tapes", page(tapeRow({ error_count: 2, agent_name: "analyst" }))));
  open();

  expect(screen.getByRole("status", { name: "Loading tapes" })).toBeVisible();
  const link = await screen.findByRole("link", { name: "What is 17 * 23?" });

  expect(link).toHaveAttribute("href", `/t/${uuid(1)}`);
  const row = screen.getByRole("row", { name: /17/ });
  expect(within(row).getByText("analyst")).toBeVisible();
  expect(within(row).getByText("$0.0123")).toBeVisible();
  expect(screen.getByText("1 tape")).toBeVisible();
});

test("without tapes the screen says what to do", async () => {
  server.use(answer("get", "/tapes", page()));
  open();

  expect(await screen.findByRole("heading", { name: "No tapes yet" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Upload tapes" })).toHaveAttribute("href", "/upload");
});

test("a failure says why, and trying again helps", async () => {
  server.use(refuse("get", "/tapes", "The disk is full.", 500));
  const { user } = open();
  expect(await screen.findByText("The disk is full.")).toBeVisible();

  server.use(answer("get", "/tapes", page(tapeRow())));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("link", { name: "What is 17 * 23?" })).toBeVisible();
});

test("the address filters the list and the filters write the address", async () => {
  const { handler, requests } = record("get", "/tapes", page(tapeRow()));
  server.use(handler);
  const { user, address } = open("/tapes?agent=analyst&search=pritzker");
  await screen.findByRole("link", { name: "What is 17 * 23?" });

  expect(requests[0]?.url.searchParams.get("q")).toBe('agent:"analyst" pritzker');

  await user.click(screen.getByRole("switch", { name: "Has error" }));
  await waitFor(() =>
    expect(requests.at(-1)?.url.searchParams.get("q")).toBe('agent:"analyst" has:error pritzker'),
  );
  expect(address()).toBe("/tapes?q=pritzker&agent=analyst&error=1");
});

test("typing searches after a pause", async () => {
  const { handler, requests } = record("get", "/tapes", page(tapeRow()));
  server.use(handler);
  const { user } = open();

  await user.type(screen.getByRole("combobox", { name: "Search tapes" }), "sydney");

  await waitFor(() => expect(requests.at(-1)?.url.searchParams.get("q")).toBe("sydney"));
});

test("leaving the field searches at once: later it would call back whoever goes elsewhere", async () => {
  server.use(answer("get", "/tapes", page(tapeRow())));
  const { user, address } = open();
  const field = screen.getByRole("combobox", { name: "Search tapes" });

  await user.type(field, "miles");
  fireEvent.blur(field);

  expect(address()).toBe("/tapes?q=miles");
});

test.each([
  [{ tape_count: 12_345, is_cut: false }, "1 of 12,345 tapes loaded"],
  [{ tape_count: 10_000, is_cut: true }, "1 of over 10,000 tapes loaded"],
  [{ tape_count: 0, is_cut: true }, "1 tape loaded, more below"],
])(
  "a list that goes on says how long it is, as far as that is known: %j",
  async (length, words) => {
    const { handler, requests } = record("get", "/tapes/length", length);
    const never = http.get("http://studio.test/api/v1/tapes", async ({ request }) => {
      if (new URL(request.url).searchParams.has("after")) await delay("infinite");
      return HttpResponse.json({ items: [tapeRow()], next: "mark" });
    });
    server.use(handler, never);
    open("/tapes?agent=chat");

    expect(await screen.findByText(words)).toBeVisible();
    await waitFor(() => expect(requests[0]?.url.searchParams.get("q")).toBe('agent:"chat"'));
  },
);

test("a list that is loaded to its end is counted where it is", async () => {
  const { handler, requests } = record("get", "/tapes/length", { tape_count: 9, is_cut: false });
  server.use(handler, answer("get", "/tapes", page(tapeRow())));
  open();

  expect(await screen.findByText("1 tape")).toBeVisible();
  expect(requests).toHaveLength(0);
});

test("the next page is asked for by the mark of the last", async () => {
  const { handler, requests } = record("get", "/tapes", { items: [tapeRow()], next: "mark" });
  server.use(handler);
  open();

  await waitFor(() => expect(requests.at(-1)?.url.searchParams.get("after")).toBe("mark"));
});

test("j, k and Enter open a tape, and coming back finds its row", async () => {
  server.use(
    answer(
      "get",
      "/tapes",
      page(
        tapeRow({ id: uuid(1), title: "One" }),
        tapeRow({ id: uuid(2), title: "Two" }),
        tapeRow({ id: uuid(3), title: "Three" }),
      ),
    ),
  );
  const { user, address, router } = open();
  await screen.findByRole("link", { name: "One" });

  await user.keyboard("jjjk{Enter}");
  await waitFor(() => expect(address()).toBe(`/t/${uuid(2)}`));
  await router.navigate(-1);

  expect(address()).toBe(`/tapes?row=${uuid(2)}`);
  const row = await screen.findByRole("row", { name: /Two/ });
  expect(row).toHaveAttribute("data-active");
});

const CHANGED = { id: uuid(70), tape_count: 1, changed_count: 1, left_out: [] };
const undoPath = `/tapes/changes/${uuid(70)}/undo`;

test("deleted tapes can be brought back", async () => {
  let deleted = false;
  server.use(
    http.get("http://studio.test/api/v1/tapes", () =>
      HttpResponse.json(deleted ? page() : page(tapeRow())),
    ),
    http.post("http://studio.test/api/v1/tapes/changes", () => {
      deleted = true;
      return HttpResponse.json(CHANGED);
    }),
    http.post(`http://studio.test/api/v1${undoPath}`, () => {
      deleted = false;
      return HttpResponse.json({ tape_count: 1 });
    }),
  );
  const { user } = open();

  await user.click(await screen.findByRole("checkbox", { name: "Select What is 17 * 23?" }));
  await user.click(screen.getByRole("button", { name: "Delete" }));
  expect(await screen.findByRole("heading", { name: "No tapes yet" })).toBeVisible();
  await user.click(await screen.findByRole("button", { name: "Undo" }));

  expect(await screen.findByRole("link", { name: "What is 17 * 23?" })).toBeVisible();
});

test("a tape that is needed stays, with the reason", async () => {
  const leftOut = [{ why: "it has an unfinished run", tape_count: 1 }];
  server.use(
    answer("get", "/tapes", page(tapeRow())),
    answer("post", "/tapes/changes", { ...CHANGED, id: null, changed_count: 0, left_out: leftOut }),
  );
  const { user } = open();

  await user.click(await screen.findByRole("checkbox", { name: "Select What is 17 * 23?" }));
  await user.click(screen.getByRole("button", { name: "Delete" }));

  expect(await screen.findByText("1 tape not deleted")).toBeVisible();
  expect(screen.getByText("it has an unfinished run.")).toBeVisible();
});

test("a person is invited to the tour once, and each person for themselves", async () => {
  server.use(answer("get", "/tapes", page(tapeRow())));
  openTour("ada");
  const { user } = open();

  const invitation = await screen.findByRole("region", { name: /New here/ });
  expect(within(invitation).getByRole("link", { name: "add a model" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(invitation).not.toBeInTheDocument();

  act(() => openTour("bob"));
  expect(await screen.findByRole("region", { name: /New here/ })).toBeVisible();
  act(() => openTour("ada"));
  expect(screen.queryByRole("region", { name: /New here/ })).not.toBeInTheDocument();
});

test("archived tapes are a list of their own, and come back from there", async () => {
  const put = tapeRow({ is_archived: true });
  const { handler, requests } = record("get", "/tapes", page(put));
  const changed = record("post", "/tapes/changes", CHANGED);
  server.use(handler, changed.handler);
  const { user } = open("/tapes?show=archived");

  await user.click(await screen.findByRole("checkbox", { name: `Select ${put.title}` }));
  await user.click(screen.getByRole("button", { name: "Restore" }));

  expect(requests[0]?.url.searchParams.get("q")).toBe("is:archived");
  await waitFor(() =>
    expect(changed.requests[0]?.body).toMatchObject({
      tape_ids: [put.id],
      change: { is_archived: false },
    }),
  );
});

test("archiving can be taken back from the toast", async () => {
  const row = tapeRow();
  const changed = record("post", "/tapes/changes", CHANGED);
  const undone = record("post", undoPath, { tape_count: 1 });
  server.use(answer("get", "/tapes", page(row)), changed.handler, undone.handler);
  const { user } = open();

  await user.click(await screen.findByRole("checkbox", { name: `Select ${row.title}` }));
  await user.click(screen.getByRole("button", { name: "Archive" }));
  await user.click(await screen.findByRole("button", { name: "Undo" }));

  await waitFor(() => expect(undone.requests).toHaveLength(1));
  expect(changed.requests[0]?.body).toMatchObject({ change: { is_archived: true } });
});

test("what a link narrows the list to is shown, and let go of", async () => {
  const { handler, requests } = record("get", "/tapes", page(tapeRow()));
  server.use(handler, answer("get", "/batches", []));
  const { user, address } = open(`/tapes?batch=${uuid(7)}&lint=any`);
  await screen.findByRole("link", { name: "What is 17 * 23?" });

  expect(screen.getByText("Batch 00000000")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Remove: With a finding" }));

  const asked = () => requests.at(-1)?.url.searchParams.get("q");
  await waitFor(() => expect(asked()).toBe(`batch:"${uuid(7)}"`));
  expect(requests[0]?.url.searchParams.get("q")).toBe(`batch:"${uuid(7)}" lint:"any"`);
  expect(address()).toBe(`/tapes?batch=${uuid(7)}`);
});

test("selected tapes are exported by a job that can be followed to its file", async () => {
  const started = record("post", "/exports", job({ kind: "export", state: "queued" }), 202);
  const result = {
    file_name: "tapes.jsonl",
    size_bytes: 2048,
    tapes: 3,
    lost: [{ what: "Thoughts before an answer.", count: 2 }],
    left_out: [
      { why: "excluded from training", tape_count: 2 },
      { why: "it has no text", tape_count: 1 },
    ],
    unfit: [{ tape_id: uuid(9), why: "it has no text" }],
  };
  const done = job({ kind: "export", state: "succeeded", result });
  server.use(
    answer("get", "/tapes", page(tapeRow())),
    started.handler,
    answer("get", `/jobs/${done.id}`, done),
  );
  const { user } = open();

  await user.click(await screen.findByRole("checkbox", { name: "Select What is 17 * 23?" }));
  await user.click(screen.getByRole("button", { name: "Export" }));
  const dialog = await screen.findByRole("dialog", { name: "Export 1 tape" });
  await user.click(within(dialog).getByRole("radio", { name: "ShareGPT" }));
  await user.click(within(dialog).getByRole("switch", { name: "With annotations" }));
  await user.click(within(dialog).getByRole("button", { name: "Start export" }));

  const link = await within(dialog).findByRole("link", { name: /Download tapes.jsonl/ });
  expect(link).toHaveAttribute("href", `/api/v1/exports/${done.id}/file`);
  expect(within(dialog).getByText("3 tapes written.")).toBeVisible();
  expect(within(dialog).getByText("Not exported of 2: Thoughts before an answer.")).toBeVisible();
  expect(within(dialog).getByText("2 tapes omitted: excluded from training")).toBeVisible();
  const unfit = within(dialog).getByRole("link", { name: uuid(9).slice(0, 8) });
  expect(unfit).toHaveAttribute("href", `/t/${uuid(9)}`);
  expect(started.requests[0]?.body).toEqual({
    q: "",
    tape_ids: [uuid(1)],
    format: "sharegpt",
    split: "train",
    with_annotations: true,
  });
});

test("a table is exported with the columns that are shown, answers too", async () => {
  const { handler, requests } = record("post", "/exports", job({ kind: "export" }), 202);
  server.use(
    answer("get", "/tapes", page(tapeRow({ expected: "The answer is 391" }))),
    handler,
    answer("get", `/jobs/${uuid(100)}`, job({ kind: "export", state: "cancelled" })),
  );
  const { user } = open("/tapes?cols=actual,expected,title");
  expect(await screen.findByText("The answer is 391")).toBeVisible();

  await user.click(screen.getByRole("button", { name: "Export" }));
  await user.click(await screen.findByRole("radio", { name: "CSV" }));
  await user.click(screen.getByRole("button", { name: "Start export" }));

  await waitFor(() =>
    expect(requests[0]?.body).toHaveProperty("columns", ["id", "actual", "expected", "title"]),
  );
});

test("the whole list is exported as TapeAgents files, without a batch too", async () => {
  const { handler, requests } = record("post", "/exports", job({ kind: "export" }), 202);
  server.use(
    answer("get", "/tapes", page(tapeRow())),
    handler,
    answer("get", `/jobs/${uuid(100)}`, job({ kind: "export", state: "cancelled" })),
  );
  const { user } = open("/tapes?error=1");

  await user.click(await screen.findByRole("button", { name: "Export" }));
  await user.click(await screen.findByRole("radio", { name: "TapeAgents files" }));
  await user.click(screen.getByRole("switch", { name: "With annotations" }));
  await user.click(screen.getByRole("button", { name: "Start export" }));

  await waitFor(() =>
    expect(requests[0]?.body).toMatchObject({
      q: "has:error",
      format: "tapeagents",
      with_annotations: true,
    }),
  );
});

test("the whole list is exported by its conditions", async () => {
  const { handler, requests } = record("post", "/exports", job({ kind: "export" }), 202);
  server.use(
    answer("get", "/tapes", page(tapeRow())),
    handler,
    answer("get", `/jobs/${uuid(100)}`, job({ kind: "export", state: "cancelled" })),
  );
  const { user } = open(`/tapes?batch=${uuid(9)}&error=1`);

  await user.click(await screen.findByRole("button", { name: "Export" }));
  await user.click(await screen.findByRole("radio", { name: "CSV" }));
  await user.click(screen.getByRole("button", { name: "Start export" }));

  expect(await screen.findByText("The export was cancelled.")).toBeVisible();
  expect(requests[0]?.body).toMatchObject({
    q: `batch:"${uuid(9)}" has:error`,
    format: "csv",
  });
  expect(requests[0]?.body).toHaveProperty("columns", [
    "id",
    "title",
    "agent",
    "batch",
    "outcome",
    "steps",
    "errors",
    "input_tokens",
    "output_tokens",
    "cost_usd",
    "duration_seconds",
    "created_at",
  ]);
});

test("an export that is refused says why", async () => {
  server.use(
    answer("get", "/tapes", page(tapeRow())),
    refuse("post", "/exports", "Of 1 tape only 0 are in this project.", 404),
  );
  const { user } = open();

  await user.click(await screen.findByRole("button", { name: "Export" }));
  await user.click(await screen.findByRole("button", { name: "Start export" }));

  expect(await screen.findByText("Of 1 tape only 0 are in this project.")).toBeVisible();
});

test("selected tapes are excluded from training and get a split", async () => {
  const row = tapeRow();
  const changed = record("post", "/tapes/changes", CHANGED);
  server.use(answer("get", "/tapes", page(row)), changed.handler);
  const { user } = open();

  await user.click(await screen.findByRole("checkbox", { name: `Select ${row.title}` }));
  await user.click(screen.getByRole("button", { name: "Training" }));
  fireEvent.click(
    await screen.findByRole("menuitem", { name: "Exclude from training", hidden: true }),
  );
  await user.click(screen.getByRole("button", { name: "Training" }));
  fireEvent.click(await screen.findByRole("menuitem", { name: "Validation", hidden: true }));

  await waitFor(() =>
    expect(changed.requests.map(({ body }) => body)).toMatchObject([
      { change: { is_kept_from_training: true } },
      { change: { split: "validation" } },
    ]),
  );
});

test("all that the list shows is deleted after a question, and goes into a queue", async () => {
  const changed = record("post", "/tapes/changes", CHANGED);
  const added = record("post", `/queues/${uuid(80)}/items`, { added_count: 40 });
  const queue = { id: uuid(80), name: "Look at these", mode: "single" };
  server.use(
    answer("get", "/tapes", page(tapeRow())),
    answer("post", "/tapes/count", { tape_count: 40 }),
    answer("get", "/queues", { items: [queue, { ...queue, mode: "pairwise" }], next: null }),
    changed.handler,
    added.handler,
  );
  const { user } = open("/tapes?agent=chat");
  await user.click(await screen.findByRole("checkbox", { name: /17/ }));
  const bar = within(screen.getByRole("toolbar", { name: "Selected tapes" }));
  await user.click(await bar.findByRole("button", { name: "Select all 40 of the list" }));

  await user.click(bar.getByRole("button", { name: "Add to queue" }));
  fireEvent.click(await screen.findByRole("menuitem", { name: "Look at these", hidden: true }));
  expect(await screen.findByText("40 tapes added to “Look at these”")).toBeVisible();
  await user.click(bar.getByRole("button", { name: "Delete" }));
  expect(changed.requests).toHaveLength(0);
  await user.click(await screen.findByRole("button", { name: "Delete them" }));

  await waitFor(() => expect(changed.requests).toHaveLength(1));
  expect(added.requests[0]?.body).toMatchObject({ selection: { q: 'agent:"chat"' } });
  expect(changed.requests[0]?.body).toMatchObject({
    q: 'agent:"chat"',
    change: { is_deleted: true },
  });
});

test("all that the list shows can be selected, loaded or not", async () => {
  const counts = record("post", "/tapes/count", { tape_count: 40_000 });
  const changes = record("post", "/tapes/tags", { id: null, tape_count: 40_000, changed_count: 0 });
  server.use(answer("get", "/tapes", page(tapeRow())), counts.handler, changes.handler);
  const { user } = open("/tapes?agent=chat");
  await user.click(await screen.findByRole("checkbox", { name: /17/ }));
  const bar = screen.getByRole("toolbar", { name: "Selected tapes" });

  expect(within(bar).getByText("1 tape selected")).toBeVisible();
  await user.click(
    await within(bar).findByRole("button", { name: "Select all 40,000 of the list" }),
  );
  expect(within(bar).getByText("All 40,000 tapes selected")).toBeVisible();
  await user.click(within(bar).getByRole("button", { name: "Tags" }));
  await user.type(screen.getByLabelText("Add"), "seen{Enter}");
  await user.click(screen.getByRole("button", { name: "Change tags" }));

  await waitFor(() => expect(changes.requests[0]?.body).toMatchObject({ q: 'agent:"chat"' }));
  expect(counts.requests[0]?.body).toMatchObject({ q: 'agent:"chat"' });
});

test("all of the list shows in the rows, and the palette acts on what is selected", async () => {
  const other = tapeRow({ id: uuid(2), title: "Another" });
  server.use(
    answer("get", "/tapes", page(tapeRow(), other)),
    answer("post", "/tapes/count", { tape_count: 40 }),
  );
  const { user } = open();
  const box = await screen.findByRole("checkbox", { name: "Select Another" });
  const commands = () => listCommands("").filter(({ zone }) => zone === "Selected tapes");
  expect(commands()).toEqual([]);

  await user.click(screen.getByRole("checkbox", { name: /17/ }));
  expect(commands().map(({ label }) => label)).toContain("Add 1 tape to a queue");
  await user.click(await screen.findByRole("button", { name: "Select all 40 of the list" }));
  expect(box).toBeChecked();
  expect(commands().map(({ label }) => label)).toContain("Add all 40 tapes to a queue");
  act(() =>
    commands()
      .find(({ label }) => label === "Tag all 40 tapes")
      ?.run(),
  );
  expect(await screen.findByRole("dialog", { name: "Tags of all 40 tapes" })).toBeVisible();
  await user.keyboard("{Escape}");

  await user.click(box);
  expect(screen.getByText("1 tape selected")).toBeVisible();
});

/** A server that cannot read "agnt:" and lists one tape else. */
const readsNoAgnt = () =>
  http.get("http://studio.test/api/v1/tapes", ({ request }) => {
    const [before = "", ...found] = (new URL(request.url).searchParams.get("q") ?? "").split(
      "agnt:",
    );
    const start = Array.from(before).length;
    return found.length > 0
      ? HttpResponse.json(
          {
            code: "query_invalid",
            message: "There is no field 'agnt'; did you mean 'agent'?",
            details: { start, end: start + 5, suggestion: "agent:" },
          },
          { status: 422 },
        )
      : HttpResponse.json(page(tapeRow()));
  });

test("a mistake in the query is shown in its place and mended by a click", async () => {
  server.use(readsNoAgnt());
  const { user, address } = open("/tapes?q=agnt:x");

  const fix = await screen.findByRole("button", { name: "Write agent:" });
  expect(screen.getByText(/\^\^\^\^\^/)).toBeVisible();
  await user.click(fix);

  await waitFor(() => expect(address()).toBe("/tapes?q=agent%3Ax"));
  expect(await screen.findByRole("link", { name: "What is 17 * 23?" })).toBeVisible();
});

test.each(["agnt:x", "agnt:x OR steps>3 seq: error"])(
  "a mistake in %s is mended in its place where a link narrows the list too",
  async (query) => {
    server.use(readsNoAgnt());
    const { user, address } = open(`/tapes?${new URLSearchParams({ q: query, agent: "𝄞" })}`);

    await user.click(await screen.findByRole("button", { name: "Write agent:" }));

    await waitFor(() => expect(decodeURIComponent(address())).toContain("q=agent:x"));
  },
);

test("while a query cannot be read, the list before it stays, dimmed", async () => {
  server.use(readsNoAgnt());
  const { user } = open();

  const link = await screen.findByRole("link", { name: "What is 17 * 23?" });
  await user.type(screen.getByRole("combobox", { name: "Search tapes" }), "agnt:x");

  expect(await screen.findByRole("button", { name: "Write agent:" })).toBeVisible();
  expect(link).toBeVisible();
  expect(link.closest("[data-outdated]")).not.toBeNull();
  expect(screen.queryByText("The query is invalid")).toBeNull();

  await user.click(screen.getByRole("button", { name: "Write agent:" }));

  await waitFor(() =>
    expect(
      screen.getByRole("link", { name: "What is 17 * 23?" }).closest("[data-outdated]"),
    ).toBeNull(),
  );
});

test("what may come is offered and taken by keyboard", async () => {
  server.use(
    answer("get", "/tapes", page(tapeRow())),
    answer("get", "/tapes/completion", {
      start: 0,
      end: 2,
      options: [{ text: "agent:", help: "agent that made the tape" }],
    }),
  );
  const { user } = open();
  const field = screen.getByRole("combobox", { name: "Search tapes" });

  expect(field).toHaveAttribute("aria-expanded", "false");
  await user.type(field, "ag");
  const option = await screen.findByRole("option", { name: /agent:/, hidden: true });
  expect(field).toHaveAttribute("aria-expanded", "true");
  expect(field).toHaveAttribute("aria-controls", option.parentElement?.id);
  expect(field).not.toHaveAttribute("aria-activedescendant");
  await user.keyboard("{ArrowDown}");
  expect(field).toHaveAttribute("aria-activedescendant", option.id);
  await user.keyboard("{Enter}");

  await waitFor(() => expect(field).toHaveValue("agent:"));
  expect(field).not.toHaveAttribute("aria-activedescendant");
});

test("an option is marked no longer when one types on", async () => {
  server.use(
    answer("get", "/tapes", page(tapeRow())),
    answer("get", "/tapes/completion", {
      start: 0,
      end: 2,
      options: [{ text: "agent:", help: "agent that made the tape" }],
    }),
  );
  const { user, address } = open();
  const field = screen.getByRole("combobox", { name: "Search tapes" });

  await user.type(field, "ag");
  await screen.findByRole("option", { name: /agent:/, hidden: true });
  await user.keyboard("{ArrowDown}ain{Enter}");

  expect(field).toHaveValue("again");
  await waitFor(() => expect(address()).toBe("/tapes?q=again"));
});

test("a search that ran out of time says how far it came and goes on when asked", async () => {
  const cut = { items: [], next: "mark", searched_count: 12_400, is_cut: true };
  const rest = { items: [tapeRow()], next: null, searched_count: 5, is_cut: false };
  server.use(
    http.get("http://studio.test/api/v1/tapes", ({ request }) =>
      HttpResponse.json(new URL(request.url).searchParams.has("after") ? rest : cut),
    ),
  );
  const { user } = open("/tapes?q=seq:+error");

  expect(await screen.findByText(/Searched the newest 12,400 tapes/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Search further" }));

  expect(await screen.findByRole("link", { name: "What is 17 * 23?" })).toBeVisible();
  expect(screen.queryByText(/Searched the newest/)).not.toBeInTheDocument();
});

test("what was searched for is marked in the row", async () => {
  const snippet = [
    { text: "the ", is_hit: false },
    { text: "Vulcan", is_hit: true },
  ];
  server.use(answer("get", "/tapes", page(tapeRow({ snippet }))));
  open("/tapes?q=vulcan");

  expect((await screen.findByText("Vulcan")).tagName).toBe("MARK");
});
