import { screen } from "@testing-library/react";
import { expect, test } from "vitest";

import type { Job } from "@/api/types";
import { BulkJobPage } from "@/features/tapes/bulk/BulkJobPage";
import { answer, refuse } from "@/testing/answers";
import { job, rerun, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

function open(part: Partial<Job>) {
  const one = job({ id: uuid(60), tape_id: null, ...part });
  server.use(answer("get", `/jobs/${one.id}`, one));
  return renderScreen({ path: "/runs/:jobId", element: <BulkJobPage />, at: `/runs/${one.id}` });
}

test("an export that was left is found again with its file", async () => {
  const result = { file_name: "tapes.zip", size_bytes: 2048, tapes: 3, left_out: [] };
  open({ kind: "export", title: "Export as TapeAgents files", state: "succeeded", result });

  expect(await screen.findByRole("link", { name: /Download tapes.zip/ })).toHaveAttribute(
    "href",
    `/api/v1/exports/${uuid(60)}/file`,
  );
  expect(screen.getByRole("heading", { name: "Export as TapeAgents files" })).toBeVisible();
  expect(screen.getByRole("link", { name: "All runs" })).toHaveAttribute("href", "/runs");
  expect(screen.queryByRole("button", { name: "Export in another format" })).toBeNull();
});

test("a transform that goes on is cancelled from its page", async () => {
  open({ kind: "transform", state: "running", progress_done: 3, progress_total: 12 });

  expect(await screen.findByText(/3 of 12/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Cancel" })).toBeEnabled();
});

test("a re-run shows its runs, and leads to its batch", async () => {
  server.use(answer("get", `/reruns/${uuid(60)}`, rerun()));
  open({ kind: "rerun", state: "succeeded" });

  expect(await screen.findByText("1 of 2")).toBeVisible();
  expect(screen.getByRole("link", { name: "Show the batch" })).toHaveAttribute(
    "href",
    `/tapes?batch=${uuid(60)}`,
  );
});

test("a job that is not there is said to be", async () => {
  server.use(refuse("get", `/jobs/${uuid(60)}`, "Job not found.", 404));
  renderScreen({ path: "/runs/:jobId", element: <BulkJobPage />, at: `/runs/${uuid(60)}` });

  expect(await screen.findByText("Job not found.")).toBeVisible();
});
