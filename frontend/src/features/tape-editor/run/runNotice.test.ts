import { expect, test } from "vitest";

import { noticeOf, raised } from "@/features/tape-editor/run/runNotice";
import { job, runResult } from "@/testing/builders";

test.each(["queued", "running", "waiting", "paused"] as const)("a %s run has no end yet", (state) =>
  expect(noticeOf(job({ state }))).toBeNull(),
);

test("a provider error is told as the model's and can be tried again from there", () => {
  const notice = noticeOf(
    job({ state: "failed", error_code: "llm_error", message: "503.", run: runResult() }),
  );

  expect(notice).toEqual({
    tone: "bad",
    title: "The model failed",
    sentence: "503.",
    actions: ["retry"],
  });
});

test("a missing key leads to the models", () => {
  const notice = noticeOf(job({ state: "failed", error_code: "model_key_missing", message: "x" }));

  expect(notice?.actions).toEqual(["models", "retry"]);
});

test("an endless loop is no failure of the run and can go on", () => {
  const notice = noticeOf(job({ state: "failed", error_code: "loop_limit", message: "20 turns." }));

  expect(notice).toMatchObject({ tone: "warn", actions: ["goOn"] });
});

test("a budget that is reached offers a larger one", () => {
  const notice = noticeOf(job({ state: "succeeded", run: runResult({ status: "budget" }) }));

  expect(notice).toMatchObject({ tone: "warn", title: "Budget reached", actions: ["raise"] });
});

test.each([
  [null, { budgetTokens: 20, budgetDollars: 0.2, budgetMinutes: null }],
  [
    { tokens: 15, micro_usd: 5 },
    { budgetTokens: 20, budgetDollars: 0.2, budgetMinutes: null },
  ],
  [
    { tokens: 700, micro_usd: 900_000 },
    { budgetTokens: 700, budgetDollars: 0.9, budgetMinutes: null },
  ],
])("a larger budget has room for the call that did not fit: %o", (refused_call, larger) => {
  const choice = { budgetTokens: 10, budgetDollars: 0.1, budgetMinutes: null };

  expect(raised(choice, runResult({ status: "budget", refused_call }))).toEqual(larger);
});

test("whoever stopped it is named", () => {
  expect(noticeOf(job({ state: "cancelled", cancelled_by: "ada" }))?.title).toBe("Stopped by ada");
});

test.each(["ok", "finished", "until", "no_actions"] as const)("%s ends well", (status) => {
  const notice = noticeOf(job({ state: "succeeded", run: runResult({ status }) }));

  expect(["good", "note"]).toContain(notice?.tone);
  expect(notice?.actions).toEqual([]);
});

test("a tool that nobody could stop is named", () => {
  const cut = { position: 2, call_id: "a", is_left_behind: false };
  const run = runResult({
    status: "cancelled",
    cut_actions: [
      { ...cut, tool: "search" },
      { ...cut, tool: "crawl", is_left_behind: true },
    ],
  });

  expect(noticeOf(job({ state: "cancelled", run }))?.sentence).toBe(
    "Finished steps and the partial step are kept. Interrupted before its result arrived: " +
      "search, crawl. crawl could not be stopped and may still be running.",
  );
});

test.each([null, runResult({ status: "unopened" })])(
  "a run that could not even begin says what is missing and can be tried again",
  (run) => {
    const message = "The model chosen for this run no longer exists.";

    expect(noticeOf(job({ state: "failed", error_code: "not_found", message, run }))).toEqual({
      tone: "bad",
      title: "The run could not start",
      sentence: message,
      actions: ["retry"],
    });
  },
);
