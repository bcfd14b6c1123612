import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import type { DecidedBy } from "@/api/types";
import { SweepPage } from "@/features/evaluation/SweepPage";
import { answer, answerNothing, record, refuse } from "@/testing/answers";
import { job, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";
import { answerWithSweep, OUTCOME, REPORT, showSweep } from "@/features/evaluation/sweepExample";

beforeEach(answerWithSweep);

const JUDGED: DecidedBy = {
  ...OUTCOME,
  scoring_id: uuid(70),
  words: "A judge gives 0.5 or more by the rubric.",
  scorer: { kind: "judge", model_id: uuid(31), rubric: "Is it?", pass_score: 0.5 },
  judge: "strict",
  scored_count: 20,
  not_scored_count: 4,
  tokens: 900,
};

test("a report says by what it is decided, and another scoring is one choice away", async () => {
  const asked = record("get", `/sweeps/${REPORT.sweep.job_id}`, {
    ...REPORT,
    decided_by: JUDGED,
    scorings: [JUDGED],
  });
  server.use(asked.handler);
  const { user } = renderScreen({
    path: "/evaluation/:jobId",
    at: `/evaluation/${REPORT.sweep.job_id}`,
    element: <SweepPage />,
  });

  expect(await screen.findByText(/could not judge 4 runs, which count as missing/)).toBeVisible();
  expect(screen.getByRole("link", { name: "exam, version 2" })).toHaveAttribute(
    "href",
    "/tapes?q=dataset%3A%22exam%402%22",
  );
  await user.click(screen.getByRole("combobox", { name: "Decided by" }));
  await user.click(
    await screen.findByText("The expected answer, or a person where it cannot decide"),
  );

  await waitFor(() => expect(asked.requests.at(-1)?.url.searchParams.get("by")).toBe("outcome"));
});

test("a scorer that the server would refuse is not started", async () => {
  server.use(
    refuse("post", `/sweeps/${REPORT.sweep.job_id}/scorings/check`, "The judge has no key."),
    answer("get", `/sweeps/${REPORT.sweep.job_id}`, REPORT),
    answer("get", `/datasets/${uuid(60)}/scorers`, []),
    answer("get", "/models", []),
  );
  const { user } = showSweep();

  await user.click(await screen.findByRole("button", { name: "Rescore" }));
  const dialog = within(await screen.findByRole("dialog"));

  expect(await dialog.findByRole("alert")).toHaveTextContent("The judge has no key.");
  expect(dialog.getByRole("button", { name: "Score" })).toBeDisabled();
});

test("a finished sweep is scored by a judge, nothing is run, and its page shows the new score", async () => {
  const scored = record(
    "post",
    `/sweeps/${REPORT.sweep.job_id}/scorings`,
    job({ id: uuid(80) }),
    202,
  );
  server.use(
    scored.handler,
    answerNothing("post", `/sweeps/${REPORT.sweep.job_id}/scorings/check`),
    answer("get", `/sweeps/${REPORT.sweep.job_id}`, REPORT),
    answer("get", `/datasets/${uuid(60)}/scorers`, []),
    answer(
      "get",
      `/jobs/${uuid(80)}`,
      job({
        id: uuid(80),
        state: "succeeded",
        message: "20 attempts scored. 4 not scored: the budget is used up.",
        result: { scoring_id: uuid(70), left: 4 },
      }),
    ),
    answer("get", "/models", []),
  );
  const { user, router } = showSweep();

  await user.click(await screen.findByRole("button", { name: "Rescore" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("combobox", { name: "Decided by" }));
  await user.click(await screen.findByText("The final text contains the expected answer"));
  await user.click(dialog.getByRole("checkbox", { name: "Expected answers as they are now" }));
  const score = dialog.getByRole("button", { name: "Score" });
  await waitFor(() => expect(score).toBeEnabled());
  await user.click(score);

  expect(await dialog.findByText(/4 not scored: the budget is used up\./)).toBeVisible();
  expect(router.state.location.search).toBe(`?by=${uuid(70)}`);
  expect(scored.requests[0]?.body).toEqual({
    scorer: { kind: "contains", ignores_case: true },
    expected: "now",
  });
});
