import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import { TapesPage } from "@/features/tapes/TapesPage";
import { TAPE_COLUMNS } from "@/features/tapes/table/tapeColumns";
import { answer, record, refuse } from "@/testing/answers";
import { session, tapeRow, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const LENS = {
  id: uuid(70),
  name: "Dear ones",
  is_shared: true,
  is_own: true,
  can_change: true,
  owner: "ada",
  look: {
    query: "error=1",
    sort: "-cost",
    columns: [
      { id: "title", width: 300, is_pinned: true },
      { id: "cost", width: null, is_pinned: false },
    ],
    marks: [{ column: "cost", comparison: ">", value: "0.01", tone: "bad" }],
  },
  updated_at: "2026-01-02T12:00:00Z",
};

beforeEach(() => {
  window.localStorage.clear();
  server.use(answer("get", "/session", session()), answer("get", "/lenses", { items: [LENS] }));
});

const open = (at = "/tapes") => renderScreen({ path: "/tapes", element: <TapesPage />, at });
const page = (...items: ReturnType<typeof tapeRow>[]) => ({ items, next: null });
const headers = () =>
  screen.getAllByRole("columnheader").flatMap((cell) => cell.getAttribute("aria-label") ?? []);

async function openMenu(user: ReturnType<typeof open>["user"], name: RegExp | string) {
  await user.click(await screen.findByRole("button", { name }));
}

test("a header orders the list by its column, the other way, and not at all", async () => {
  const { handler, requests } = record("get", "/tapes", page(tapeRow()));
  server.use(handler);
  const { user, address } = open();
  const sort = () => requests.at(-1)?.url.searchParams.get("sort");

  await user.click(await screen.findByRole("button", { name: "Cost" }));
  await waitFor(() => expect(sort()).toBe("-cost"));
  expect(screen.getByRole("columnheader", { name: "Cost" })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
  await user.click(screen.getByRole("button", { name: "Cost" }));
  await waitFor(() => expect(sort()).toBe("cost"));
  await user.click(screen.getByRole("button", { name: "Cost" }));

  await waitFor(() => expect(address()).toBe("/tapes"));
});

test("every column but tags, of which a tape has many, orders the list", async () => {
  server.use(answer("get", "/tapes", page(tapeRow())));
  const shown = TAPE_COLUMNS.map((column) => column.id).join(",");
  open(`/tapes?cols=${shown}`);

  await screen.findByRole("button", { name: "Batch" });
  const still = headers().filter((name) => screen.queryByRole("button", { name }) === null);

  expect(still).toEqual(["Tags"]);
});

test("columns are chosen, moved and pinned, and the address says so", async () => {
  server.use(answer("get", "/tapes", page(tapeRow({ task: "t-17" }))));
  const { user, address } = open();
  await openMenu(user, "Columns");

  fireEvent.click(screen.getByLabelText("Task"));
  fireEvent.click(screen.getByLabelText("Pin Cost"));
  fireEvent.click(screen.getByLabelText("Move Task up"));

  await waitFor(() =>
    expect(new URL(address(), "http://studio.test").searchParams.get("cols")).toBe(
      "cost!,title,agent,batch,outcome,steps,errors,tokens,duration,task,created",
    ),
  );

  fireEvent.click(screen.getByLabelText("Expected"));
  fireEvent.click(screen.getByLabelText("Calls"), { shiftKey: true });

  await waitFor(() => expect(address()).toContain("expected%2Cactual%2Cscore%2Ccalls"));
  expect(screen.getByText("t-17")).toBeVisible();
  expect(headers()[0]).toBe("Cost");
});

test("the edge of a column is moved by the arrow keys", async () => {
  server.use(answer("get", "/tapes", page(tapeRow())));
  const { user, address } = open("/tapes?cols=title,cost:100");

  (await screen.findByRole("button", { name: "Width of Cost" })).focus();
  await user.keyboard("{ArrowRight}");

  // Here every cell is as wide as the screen, so the column becomes as wide as one may be.
  await waitFor(() => expect(address()).toContain(encodeURIComponent("cost:1200")));
});

test("a mark has a sign with its condition, and only where it holds", async () => {
  const dear = tapeRow({ id: uuid(1), title: "Dear" });
  const cheap = tapeRow({
    id: uuid(2),
    title: "Cheap",
    totals: { ...dear.totals, cost_micro_usd: 5 },
  });
  server.use(answer("get", "/tapes", page(dear, cheap)));
  open(`/tapes?marks=${encodeURIComponent("cost>0.01~bad")}`);

  const row = await screen.findByRole("row", { name: /Dear/ });

  expect(within(row).getByRole("img", { name: "Marked red" })).toBeVisible();
  expect(within(row).getByTitle("Cost > 0.01")).toBeVisible();
  expect(screen.getAllByRole("img", { name: "Marked red" })).toHaveLength(1);
});

test("a mark is added from its menu", async () => {
  server.use(answer("get", "/tapes", page(tapeRow())));
  const { user, address } = open();
  await openMenu(user, "Highlights");

  fireEvent.change(screen.getByLabelText("Value"), { target: { value: "0.001" } });
  fireEvent.click(screen.getByRole("button", { name: "Add highlight", hidden: true }));

  await waitFor(() => expect(address()).toContain("marks=cost"));
  expect(await screen.findByRole("img", { name: "Marked red" })).toBeVisible();
});

test("a lens brings its conditions, order, columns and marks", async () => {
  const { handler, requests } = record("get", "/tapes", page(tapeRow()));
  server.use(handler);
  const { user, address } = open();
  await openMenu(user, "Lens: All");
  fireEvent.click(await screen.findByRole("menuitem", { name: /Dear ones/, hidden: true }));

  await waitFor(() => expect(address()).toBe(`/tapes?error=1&lens=${LENS.id}`));
  await waitFor(() => expect(requests.at(-1)?.url.searchParams.get("sort")).toBe("-cost"));
  expect(requests.at(-1)?.url.searchParams.get("q")).toBe("has:error");
  expect(headers()).toEqual(["Tape", "Cost"]);
  expect(screen.getByRole("img", { name: "Marked red" })).toBeVisible();
});

test("a link that names only a lens shows the lens whole", async () => {
  const { handler, requests } = record("get", "/tapes", page(tapeRow()));
  server.use(handler);
  open(`/tapes?lens=${LENS.id}`);

  await waitFor(() => expect(requests.at(-1)?.url.searchParams.get("q")).toBe("has:error"));
});

test("what differs from a lens is said, saved into it or put back", async () => {
  const changed = record("patch", `/lenses/${LENS.id}`, LENS);
  server.use(answer("get", "/tapes", page(tapeRow())), changed.handler);
  const { user, address } = open(`/tapes?error=1&lens=${LENS.id}&sort=title&cols=title,steps`);

  await openMenu(user, "Lens: Dear ones, changed");
  fireEvent.click(await screen.findByRole("menuitem", { name: "Save", hidden: true }));

  await waitFor(() => expect(address()).toBe(`/tapes?error=1&lens=${LENS.id}`));
  expect(changed.requests[0]?.body).toMatchObject({
    look: { query: "error=1", sort: "title", columns: [{ id: "title" }, { id: "steps" }] },
  });
});

test("what is shown is saved under a name, and a refusal is said beside it", async () => {
  server.use(
    answer("get", "/tapes", page(tapeRow())),
    refuse("post", "/lenses", "A lens 'Same' already exists.", 409),
  );
  const { user, address } = open("/tapes?sort=-steps");
  await openMenu(user, "Lens: All, changed");
  fireEvent.click(await screen.findByRole("menuitem", { name: "Save as…", hidden: true }));
  await user.type(await screen.findByLabelText(/Name/), "Same");
  await user.click(screen.getByRole("button", { name: "Save the lens" }));
  expect(await screen.findByText("A lens 'Same' already exists.")).toBeVisible();

  const made = record("post", "/lenses", { ...LENS, name: "Same" }, 201);
  server.use(made.handler);
  await user.click(screen.getByRole("button", { name: "Save the lens" }));

  await waitFor(() => expect(address()).toContain(`lens=${LENS.id}`));
  expect(made.requests[0]?.body).toMatchObject({ name: "Same", is_shared: false });
});

test("a viewer saves lenses for themselves and shares none", async () => {
  server.use(
    answer("get", "/tapes", page(tapeRow())),
    answer("get", "/session", session({ role: "viewer" })),
    answer("get", "/lenses", { items: [{ ...LENS, can_change: false }] }),
  );
  const { user } = open(`/tapes?error=1&lens=${LENS.id}&sort=title`);
  await screen.findByRole("link", { name: "What is 17 * 23?" });
  await openMenu(user, /Lens: Dear ones/);

  expect(await screen.findByRole("menuitem", { name: "Reset", hidden: true })).toBeEnabled();
  expect(screen.queryByRole("menuitem", { name: /^Save$|Delete|shar/, hidden: true })).toBeNull();
  fireEvent.click(screen.getByRole("menuitem", { name: "Save as…", hidden: true }));
  await screen.findByRole("button", { name: "Save the lens" });
  expect(screen.queryByLabelText("Share with the project")).toBeNull();
});

test("the Errors lens opens a tape where it first fails", async () => {
  const bad = tapeRow({ id: uuid(1), title: "Bad", error_count: 1 });
  const good = tapeRow({ id: uuid(2), title: "Good" });
  server.use(answer("get", "/tapes", page(bad, good)));
  open("/tapes?error=1&lens=errors");

  expect(await screen.findByRole("link", { name: "Bad" })).toHaveAttribute(
    "href",
    `/t/${uuid(1)}?step=first-error`,
  );
  expect(screen.getByRole("link", { name: "Good" })).toHaveAttribute("href", `/t/${uuid(2)}`);
});
