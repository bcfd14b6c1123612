import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import type { TapeSummary } from "@/api/types";
import { TapesPage } from "@/features/tapes/TapesPage";
import { answer, record, refuse } from "@/testing/answers";
import { tapeRow } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const SUMMARY: TapeSummary = {
  tape_count: 3,
  summed_count: 3,
  is_cut: false,
  pass_rate: { value: 0.5, low: 0.09, high: 0.91, count: 2 },
  outcomes: [
    { value: "pass", count: 1, is_on: false, query: "outcome:pass" },
    { value: "fail", count: 1, is_on: true, query: "" },
    { value: "none", count: 0, is_on: false, query: "outcome:none" },
  ],
  error_tape_count: 2,
  steps: {
    count: 3,
    low: 2,
    median: 4,
    p90: 9,
    high: 9,
    bins: [
      { low: 2, high: 5, count: 2, query: "steps:2..4" },
      { low: 5, high: 9, count: 1, query: "steps:5..9" },
    ],
  },
  cost: null,
  duration: null,
  failing_nodes: [
    { name: "bot.act", tape_count: 2, step_count: 3, is_on: false, query: "seq: error node:act" },
    { name: "", tape_count: 1, step_count: 1, is_on: false, query: 'seq: error node:""' },
  ],
  failing_kinds: [],
  failing_tools: [],
};

beforeEach(() => {
  window.localStorage.clear();
  server.use(
    answer("get", "/tapes", { items: [tapeRow()], next: null }),
    answer("get", "/tapes/summary", SUMMARY),
  );
});

const open = (at = "/tapes") => renderScreen({ path: "/tapes", element: <TapesPage />, at });
const pane = () => screen.findByRole("region", { name: "Summary of the list" });

test("the summary is opened beside the facets and stays so", async () => {
  const { user } = open();
  await user.click(await screen.findByRole("button", { name: "Summary" }));

  const shown = within(await pane());
  expect(await shown.findByText("50 % (9–91 %) pass")).toBeVisible();
  expect(shown.getByText("3 tapes")).toBeVisible();
  expect(shown.getByRole("button", { name: "Failed 1" })).toHaveAttribute("aria-pressed", "true");
  expect(shown.getByRole("button", { name: "Not judged 0" })).toBeDisabled();
  expect(shown.getAllByText("No tape has LLM calls.")).toHaveLength(2);
  expect(shown.getByRole("button", { name: /In no node/ })).toBeVisible();
  expect(window.localStorage.getItem("studio.tapes.summary")).toBe("true");
});

test("a click on a part narrows the list to it", async () => {
  window.localStorage.setItem("studio.tapes.summary", "true");
  const { handler, requests } = record("get", "/tapes/summary", SUMMARY);
  server.use(handler);
  const { user, address } = open("/tapes?agent=bot&error=1");
  const shown = within(await pane());

  await user.click(await shown.findByRole("button", { name: "2 to 4: 2 tapes" }));
  expect(address()).toBe("/tapes?q=steps%3A2..4");
  await user.click(shown.getByRole("button", { name: /bot\.act/ }));

  await waitFor(() =>
    expect(requests.at(-1)?.url.searchParams.get("q")).toBe("seq: error node:act"),
  );
});

test("a sample says of how many tapes it is", async () => {
  window.localStorage.setItem("studio.tapes.summary", "true");
  const cut = { ...SUMMARY, tape_count: 100_000, summed_count: 20_000, is_cut: true };
  server.use(answer("get", "/tapes/summary", cut));
  open();

  expect(await screen.findByText("The newest 20,000 of 100,000 tapes")).toBeVisible();
});

test("a refusal is said and tried again; an empty list has nothing to sum up", async () => {
  window.localStorage.setItem("studio.tapes.summary", "true");
  server.use(refuse("get", "/tapes/summary", "The disk is full.", 500));
  const { user } = open();
  const shown = within(await pane());
  expect(shown.getByRole("status", { name: "Loading the summary" })).toBeVisible();
  expect(await shown.findByText(/The disk is full\./)).toBeVisible();

  server.use(answer("get", "/tapes/summary", { ...SUMMARY, summed_count: 0, tape_count: 0 }));
  await user.click(shown.getByRole("button", { name: "Try again" }));

  expect(await shown.findByText("No tapes to summarize.")).toBeVisible();
});
