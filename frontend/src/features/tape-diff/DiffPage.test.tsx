import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import type { DiffRow, OutlineRow, TapeDiff } from "@/api/types";
import { DiffPage } from "@/features/tape-diff/DiffPage";
import { listenForKeys } from "@/lib/keys";
import { answer, refuse } from "@/testing/answers";
import { tapeRow, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { toColumns } from "@/testing/outline";
import { server } from "@/testing/server";

const [LEFT, RIGHT] = [uuid(1), uuid(2)];

function buildRow(position: number): OutlineRow {
  return {
    position,
    kind: "user",
    family: "observation",
    writer: "person",
    agent: "",
    node: "",
    prompt_id: "",
    lane: "",
    gist: `Words of step ${position}`,
    is_error: false,
    is_own: true,
    call_id: null,
    input_tokens: null,
    cache_read_tokens: null,
    output_tokens: null,
    cost_micro_usd: null,
    duration_seconds: null,
  };
}

const equal: DiffRow = { op: "equal", count: 2, left: buildRow(0), right: buildRow(0), fields: [] };
const changed: DiffRow = {
  op: "changed",
  count: 1,
  left: buildRow(2),
  right: buildRow(2),
  fields: [
    {
      is_cut: false,
      path: "content",
      op: "changed",
      old: "It was a dark night, and the wind was cold in the hills.",
      new: "It was a bright night, and the wind was cold in the hills.",
      words: [
        { op: "equal", text: "It was a " },
        { op: "delete", text: "dark" },
        { op: "insert", text: "bright" },
        { op: "equal", text: " night, and the wind was cold in the hills." },
      ],
    },
  ],
};
const inserted: DiffRow = { op: "inserted", count: 1, left: null, right: buildRow(3), fields: [] };

const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";
const OTHER = PIXEL.replace("AAAAC", "AAAAD");
const imagePart = (url: string) => ({ type: "image_url", image_url: { url } });

function fieldOf(path: string, old: unknown, now: unknown): DiffRow["fields"][number] {
  return { is_cut: false, path, op: "changed", old, new: now, words: null };
}

type Costs = Partial<TapeDiff["left"]["totals"]>;

function serveDiff(
  rows: DiffRow[],
  costs: { left?: Costs; right?: Costs } = {},
  content: unknown = "All of it",
) {
  const left = { ...tapeRow({ outcome: "fail", score: 0.5 }), id: LEFT, title: "Parent" };
  const right = { ...tapeRow({ outcome: "pass", score: 0.75 }), id: RIGHT, title: "Child" };
  const diff: TapeDiff = {
    left: {
      ...left,
      batch_name: "before",
      step_count: 3,
      totals: { ...left.totals, ...costs.left },
    },
    right: {
      ...right,
      batch_name: "after",
      step_count: 4,
      totals: { ...right.totals, ...costs.right },
    },
    rows,
    first_divergence: null,
  };
  const step = { ...buildRow(3), edited_by: "", created_at: "2026-01-02T12:00:00Z" };
  const items = [{ ...step, body: { kind: "user", content } }];
  server.use(
    answer("get", `/tapes/${LEFT}/diff/${RIGHT}`, diff),
    answer("get", `/tapes/${RIGHT}/steps`, { items, step_count: 4 }),
    answer("get", `/tapes/${LEFT}/outline`, toColumns([0, 1, 2].map(buildRow))),
    answer("get", `/tapes/${RIGHT}/outline`, toColumns([0, 1, 2, 3].map(buildRow))),
  );
}

function open() {
  const at = `/t/${LEFT}/diff/${RIGHT}`;
  return renderScreen({ path: "/t/:tapeId/diff/:otherId", element: <DiffPage />, at });
}

test("changes show word by word, steps of one side in full, equal steps folded", async () => {
  serveDiff([equal, changed, inserted]);
  const { user } = open();

  const change = await screen.findByRole("article", { name: "Changed step" });
  expect(within(change).getByText("dark").tagName).toBe("DEL");
  expect(within(change).getByText("bright").tagName).toBe("INS");
  expect(await screen.findByText("All of it")).toBeVisible();
  expect(screen.getByText("+1")).toBeVisible();
  expect(screen.queryByText("Words of step 1")).toBeNull();

  await user.click(screen.getByRole("button", { name: /2 identical steps/ }));
  expect(await screen.findAllByText("Words of step 1")).toHaveLength(2);
});

test("images are seen on both sides, also on the side that alone has one", async () => {
  const field = fieldOf("content.1.image_url.url", PIXEL, OTHER);
  const added = { ...fieldOf("content.2", null, imagePart(PIXEL)), op: "added" as const };
  serveDiff([{ ...changed, fields: [field, added] }, inserted], {}, [imagePart(OTHER)]);
  open();

  const change = within(await screen.findByRole("article", { name: "Changed step" }));
  const images = change.getAllByRole("img", { name: "From the tape" });
  expect(images.map((image) => image.getAttribute("src"))).toEqual([PIXEL, OTHER, PIXEL]);
  expect(change.queryByText(/base64/)).toBeNull();
  const whole = within(await screen.findByRole("article", { name: "Inserted step" }));
  expect(await whole.findByRole("img", { name: "From the tape" })).toHaveAttribute("src", OTHER);
});

test("costs that nobody knows are not compared", async () => {
  serveDiff([equal], { left: { unpriced_call_count: 1 }, right: { cost_micro_usd: 20_000 } });
  open();

  expect(await screen.findByText(/unknown → \$0\.0200/)).toBeVisible();
  expect(screen.queryByText(/[+−]\$/)).toBeNull();
});

test("the head tells the two apart, and says how they did", async () => {
  serveDiff([equal, changed, inserted]);
  open();

  expect(await screen.findByText(/before ·/)).toBeVisible();
  expect(screen.getByText(/after ·/)).toBeVisible();
  expect(screen.getByRole("img", { name: "Failed" })).toBeVisible();
  expect(screen.getByRole("img", { name: "Passed" })).toBeVisible();
  expect(screen.getByText("0.5 → 0.75")).toBeVisible();
});

test("n and p go from change to change, and the address keeps the place", async () => {
  serveDiff([equal, changed, inserted]);
  const { user, address } = open();
  const stop = listenForKeys();
  await screen.findByRole("article", { name: "Changed step" });

  await user.keyboard("n");
  await user.keyboard("n");
  await waitFor(() => expect(address()).toContain("change=1"));
  await user.keyboard("p");
  await waitFor(() => expect(address()).toContain("change=0"));

  expect(screen.getByText("Change 1 of 2")).toBeVisible();
  stop();
});

test("each step leads to its tape at that step, and the sides swap", async () => {
  serveDiff([changed]);
  open();

  const [left, right] = await screen.findAllByRole("link", { name: "Open the tape at step 2" });

  expect(left).toHaveAttribute("href", `/t/${LEFT}?step=2`);
  expect(right).toHaveAttribute("href", `/t/${RIGHT}?step=2`);
  expect(screen.getByRole("link", { name: "Swap sides" })).toHaveAttribute(
    "href",
    `/t/${RIGHT}/diff/${LEFT}`,
  );
});

test("equal tapes say so", async () => {
  serveDiff([equal]);
  open();

  expect(await screen.findByText("The tapes are identical")).toBeVisible();
});

test("tapes that cannot be compared say why", async () => {
  server.use(refuse("get", `/tapes/${LEFT}/diff/${RIGHT}`, "Tape not found.", 404));
  open();

  expect(await screen.findByText("Tape not found.")).toBeVisible();
});

test("a step that moved says from where, and u puts both sides into one column", async () => {
  const moved: DiffRow = {
    op: "moved",
    count: 1,
    left: buildRow(0),
    right: buildRow(3),
    fields: [],
  };
  serveDiff([equal, moved]);
  const { user } = open();
  const stop = listenForKeys();

  const change = await screen.findByRole("article", { name: "Moved step" });
  expect(within(change).getByText("Words of step 0")).toBeVisible();
  expect(within(change).getByText("Words of step 3")).toBeVisible();
  await user.keyboard("u");
  expect(within(change).getByText("It was step 0.")).toBeVisible();
  await user.keyboard("u");
  expect(within(change).queryByText("It was step 0.")).toBeNull();
  stop();
});

test("the prompts behind a change are compared when asked for", async () => {
  const asked = (position: number, call: string) => ({ ...buildRow(position), call_id: call });
  serveDiff([{ ...changed, left: asked(2, uuid(7)), right: asked(2, uuid(8)) }]);
  const fields = [
    { path: "messages.0 user", op: "added", old: null, new: "Be brief, please.", words: null },
  ];
  server.use(answer("get", `/tapes/${LEFT}/calls/${uuid(7)}/diff`, { fields }));
  const { user } = open();

  await user.click(await screen.findByRole("button", { name: "Compare the prompts" }));

  const prompts = await screen.findByRole("region", { name: "Prompts compared" });
  expect(within(prompts).getByText("Be brief, please.").tagName).toBe("INS");
  expect(within(prompts).getAllByText("not set")[0]).toBeVisible();
});
