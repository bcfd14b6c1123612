import { screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";

import type { Job } from "@/api/types";
import { RunsPage } from "@/features/runs/RunsPage";
import { answer, record, refuse } from "@/testing/answers";
import { job, rerun, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

function serveJobs(active: Job[], finished: Job[]) {
  server.use(
    answer("get", "/reruns", { items: [] }),
    http.get("http://studio.test/api/v1/jobs", ({ request }) => {
      const isActive = new URL(request.url).searchParams.get("active") === "true";
      return HttpResponse.json({ items: isActive ? active : finished, next: null });
    }),
  );
}

const open = () => renderScreen({ path: "/runs", element: <RunsPage /> });

test("active jobs show their state, how far they are and what they do", async () => {
  serveJobs(
    [
      job({ title: "One", message: "Asking mini" }),
      job({ id: uuid(2), title: "Two", kind: "import", progress_done: 3, progress_total: 12 }),
      job({ id: uuid(3), title: "Three", state: "waiting" }),
    ],
    [],
  );
  open();

  const [one, two, three] = await screen.findAllByRole("listitem");
  if (one === undefined || two === undefined || three === undefined) throw new Error("missing");

  expect(within(one).getByText("Running")).toBeVisible();
  expect(within(one).getByText("Asking mini")).toBeVisible();
  expect(within(one).getByRole("link", { name: "One" })).toHaveAttribute("href", `/t/${uuid(1)}`);
  expect(within(two).getByRole("progressbar", { name: "Progress of Two" })).toHaveAttribute(
    "aria-valuenow",
    "25",
  );
  expect(within(three).getByText("Waiting for you")).toBeVisible();
  expect(screen.getByText("3 jobs active")).toBeVisible();
});

test("cancelling asks the server and says that it is stopping", async () => {
  serveJobs([job()], []);
  const { handler, requests } = record("post", `/jobs/${uuid(100)}/cancel`, job());
  server.use(handler);
  const { user } = open();

  const button = await screen.findByRole("button", { name: /^Cancel/ });
  serveJobs([job({ is_cancel_requested: true })], []);
  await user.click(button);

  expect(await screen.findByText("Stopping")).toBeVisible();
  expect(requests).toHaveLength(1);
});

test("a re-run is one row with all its runs, and is cancelled as a whole", async () => {
  serveJobs([job({ kind: "rerun", title: "analyst v2: 9 tapes again" })], []);
  const cancelled = record("post", `/reruns/${uuid(60)}/cancel`, rerun());
  server.use(answer("get", "/reruns", { items: [rerun()] }), cancelled.handler);
  const { user } = open();

  const list = await screen.findByRole("list", { name: "Reruns" });
  expect(within(list).getByRole("link", { name: "after" })).toHaveAttribute(
    "href",
    `/runs/${uuid(60)}`,
  );
  expect(within(list).getByText("1 of 2")).toBeVisible();
  expect(screen.queryByText("analyst v2: 9 tapes again")).toBeNull();
  await user.click(within(list).getByRole("button", { name: "Cancel after" }));

  await waitFor(() => expect(cancelled.requests).toHaveLength(1));
});

test("the runs of a Run N are one row that says how many are in which state", async () => {
  const group = { experiment_id: uuid(70), tape_id: uuid(7), name: "Colder?" };
  const counts = { running: 1, queued: 2, succeeded: 5 };
  const ended = { succeeded: 7, failed: 1 };
  serveJobs(
    [job({ state: "queued", group: { ...group, counts } })],
    [job({ id: uuid(8), state: "succeeded", group: { ...group, counts: ended } })],
  );
  const cancelled = record("post", `/experiments/${uuid(70)}/cancel`, {});
  server.use(cancelled.handler);
  const { user } = open();

  const [row] = await screen.findAllByRole("listitem");
  if (row === undefined) throw new Error("missing");
  expect(within(row).getByText("Running")).toBeVisible();
  expect(within(row).getByText("1 running, 2 queued, 5 succeeded")).toBeVisible();
  expect(within(row).getByText("5 of 8")).toBeVisible();
  const address = `/t/${uuid(7)}?n=${uuid(70)}`;
  expect(within(row).getByRole("link", { name: "Colder?" })).toHaveAttribute("href", address);
  const finished = await screen.findByRole("table", { name: "Finished jobs" });
  expect(within(finished).getByText("Failed")).toBeVisible();
  expect(within(finished).getByText("1 failed, 7 succeeded")).toBeVisible();
  expect(within(finished).queryByRole("button", { name: /again/ })).toBeNull();

  await user.click(within(row).getByRole("button", { name: "Cancel all runs of Colder?" }));
  await waitFor(() => expect(cancelled.requests).toHaveLength(1));
});

test("what a dialog began leads to a page of its own", async () => {
  const kinds = ["export", "transform", "rerun"];
  serveJobs(
    [],
    kinds.map((kind, at) =>
      job({ id: uuid(at), kind, tape_id: null, title: kind, state: "succeeded" }),
    ),
  );
  open();

  for (const [at, kind] of kinds.entries()) {
    const link = await screen.findByRole("link", { name: kind });
    expect(link).toHaveAttribute("href", `/runs/${uuid(at)}`);
  }
});

test("a finished job says how it ended and can run again", async () => {
  const failed = job({
    state: "failed",
    message: "The model refused the key.",
    finished_at: "2026-01-02T12:01:10Z",
  });
  serveJobs([], [failed]);
  const { handler, requests } = record("post", `/jobs/${uuid(100)}/requeue`, job());
  server.use(handler);
  const { user } = open();

  expect(await screen.findByText("The model refused the key.")).toBeVisible();
  expect(screen.getByText("1 min 10 s")).toBeVisible();
  await user.click(screen.getByRole("button", { name: /again/ }));

  await waitFor(() => expect(requests).toHaveLength(1));
});

test("nothing to show says where runs come from", async () => {
  serveJobs([], []);
  open();

  expect(await screen.findByText(/Nothing is running/)).toBeVisible();
  expect(await screen.findByText("No job has finished yet.")).toBeVisible();
});

test("a failure says why", async () => {
  server.use(refuse("get", "/jobs", "The database is locked.", 500));
  open();

  expect(await screen.findAllByText("The database is locked.")).toHaveLength(2);
});
