import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { Fix, FixRow } from "@/api/types";
import { buildTape, serveTape, TAPE } from "@/features/tape-editor/testing/page";
import { TapePage } from "@/features/tape-editor/TapePage";
import { listenForKeys } from "@/lib/keys";
import { answer } from "@/testing/answers";
import { FakeSocket } from "@/testing/FakeSocket";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

let stopKeys: () => void;
beforeEach(() => {
  FakeSocket.install();
  stopKeys = listenForKeys();
});
afterEach(() => stopKeys());

function buildFix(fix: Fix, content: string): FixRow {
  return {
    fix,
    name: "",
    words: `#0 content → "${content}"`,
    version: 1,
    operations: [{ op: "replace", position: 0, step: { kind: "user", content } }],
    applied_count: 1,
    base_step_count: 2,
    step_count: 2,
    updated_at: "2026-01-02T12:00:00Z",
    problems: [],
    others: [],
  };
}

const FIRST = buildFix("A", "First words");
const SECOND = buildFix("B", "Second words");

function open(query: string, fixes: FixRow[] = [FIRST, SECOND]) {
  serveTape(buildTape({ draft: fixes[0] ?? null }));
  server.use(answer("get", `/tapes/${TAPE}/fixes`, fixes));
  return renderScreen({ path: "/t/:tapeId", element: <TapePage />, at: `/t/${TAPE}${query}` });
}

const isOpen = (fix: string) =>
  waitFor(() =>
    expect(screen.getByRole("button", { name: new RegExp(`^Fix ${fix}:`) })).toHaveAttribute(
      "aria-pressed",
      "true",
    ),
  );

test("the address names the open fix, and a page that is loaded anew opens it", async () => {
  const { user, address } = open("?step=0");
  await isOpen("A");
  await waitFor(() => expect(address()).toBe(`/t/${TAPE}?step=0&fix=A`));

  await user.keyboard(".");

  await isOpen("B");
  expect(address()).toBe(`/t/${TAPE}?step=0&fix=B`);
});

test("a link to a fix opens that one, at once with its words", async () => {
  const { address } = open("?fix=B");

  expect((await screen.findAllByText("Second words")).length).toBeGreaterThan(0);
  expect(screen.queryByText("First words")).not.toBeInTheDocument();
  await isOpen("B");
  expect(address()).toBe(`/t/${TAPE}?fix=B`);
});

test("the way back leads to the fix that was open there", async () => {
  const { router } = open("?step=0&fix=A");
  await isOpen("A");

  await act(() => router.navigate(`/t/${TAPE}?step=0&fix=B`));
  await isOpen("B");
  await act(() => router.navigate(-1));

  await isOpen("A");
});

test("a fix that one does not have is said, and the tape opens as one left it", async () => {
  const { address } = open("?fix=C");

  expect(await screen.findByText("You have no fix C of this tape")).toBeVisible();
  await isOpen("A");
  expect(address()).toBe(`/t/${TAPE}?fix=A`);
});

test("one fix alone needs no name in the address", async () => {
  const { address } = open("", [FIRST]);

  await isOpen("A");

  expect(address()).toBe(`/t/${TAPE}`);
});
