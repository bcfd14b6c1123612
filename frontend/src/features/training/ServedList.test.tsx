import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import type { ServedModel } from "@/api/types";
import { ADAPTER, serveTraining } from "@/features/training/testing";
import { TrainingPage } from "@/features/training/TrainingPage";
import { answer, record, refuse } from "@/testing/answers";
import { uuid } from "@/testing/builders";
import { FakeSocket } from "@/testing/FakeSocket";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const READY: ServedModel = {
  id: uuid(90),
  name: "keeper",
  adapter_id: ADAPTER.id,
  adapter_name: "keeper",
  base: "minute",
  server_id: uuid(91),
  state: "ready",
  message: "",
  model_id: uuid(92),
  parity: { passed: true, message: "", mean: 0.000001, largest: 0.000004, bound: 0.001 },
  created_at: "2026-01-02T12:00:00Z",
};

const show = (...items: ServedModel[]) => server.use(answer("get", "/served-models", { items }));

beforeEach(() => {
  FakeSocket.install();
  serveTraining();
});

function open(tab: string) {
  return renderScreen({
    path: "/training",
    element: <TrainingPage />,
    at: `/training?tab=${tab}`,
  });
}

test("an adapter is served in one click, and says then how it is", async () => {
  show();
  const asked = record("post", "/served-models", READY, 202);
  server.use(asked.handler);
  const { user } = open("adapters");

  const button = await screen.findByRole("button", { name: "Serve keeper" });
  show({ ...READY, state: "starting", parity: null, model_id: null });
  await user.click(button);

  expect(await screen.findByRole("link", { name: "Starting" })).toHaveAttribute(
    "href",
    "/training?tab=served",
  );
  expect(asked.requests[0]?.body).toEqual({ adapter_id: ADAPTER.id, base: "" });
});

test("a ready model tells how near it is, and is compared and stopped", async () => {
  show(READY);
  server.use(
    refuse("post", `/served-models/${READY.id}/compare`, "The set held no tape out.", 422),
    answer("get", `/served-models/${READY.id}/log`, "Answering on port 1."),
  );
  const { user } = open("served");
  expect(await screen.findByRole("link", { name: "Evaluate" })).toHaveAttribute(
    "href",
    `/evaluation?new=sweep&name=keeper&model=${uuid(92)}`,
  );

  const row = within(await screen.findByRole("row", { name: /keeper/ }));
  expect(row.getByText("within 0.000004 nats")).toBeVisible();
  await user.click(row.getByRole("button", { name: "Compare with teacher" }));
  expect(await screen.findByText("The set held no tape out.")).toBeVisible();
  await user.click(row.getByRole("button", { name: "Log" }));
  expect(await screen.findByText("Answering on port 1.")).toBeVisible();
});

test("a refused model says why and is not compared; a stopped one is served again", async () => {
  const message = "A log-probability differs by 0.2.";
  show(
    { ...READY, state: "refused", message, model_id: null },
    { ...READY, id: uuid(93), name: "older", state: "stopped" },
  );
  open("served");

  const refused = within(await screen.findByRole("row", { name: /keeper.*Refused/ }));
  expect(refused.getByText(message)).toBeVisible();
  expect(refused.queryByRole("button", { name: /Compare/ })).toBeNull();
  const stopped = within(screen.getByRole("row", { name: /older/ }));
  expect(stopped.getByRole("button", { name: "Serve again" })).toBeVisible();
});

test("without a served model the page leads to the adapters", async () => {
  show();
  const { user, address } = open("served");

  await user.click(await screen.findByRole("link", { name: "Choose an adapter" }));

  expect(address()).toBe("/training?tab=adapters");
});
