import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { Dataset } from "@/api/types";
import { DatasetsPage } from "@/features/datasets/DatasetsPage";
import { listenForKeys } from "@/lib/keys";
import { answer, record, refuse } from "@/testing/answers";
import { session, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const HARD: Dataset = {
  id: uuid(60),
  name: 'the "hard" ones',
  description: "What fails.",
  owner_name: "ada",
  created_at: "2026-01-02T12:00:00Z",
  updated_at: "2026-01-02T12:00:00Z",
  tape_count: 12,
  archived_count: 1,
  train_count: 8,
  validation_count: 0,
  test_count: 2,
  unsplit_count: 2,
  kept_count: 3,
  step_count: 1234,
  tokens: 56_000,
  cost_micro_usd: 1_500_000,
  llm_call_count: 1,
  unpriced_call_count: 0,
};
const ITS_TAPES = "/tapes?q=dataset%3A%22the+%5C%22hard%5C%22+ones%22";

let stopKeys: () => void;
beforeEach(() => {
  stopKeys = listenForKeys();
  server.use(answer("get", "/session", session()));
});
afterEach(() => stopKeys());

function open(...items: Dataset[]) {
  server.use(answer("get", "/datasets", { items, next: null }));
  return renderScreen({ path: "/datasets", element: <DatasetsPage /> });
}

test("a dataset says what it holds and leads to it, to a split and to its export", async () => {
  const { user, address } = open(HARD);

  const row = within(await screen.findByRole("row", { name: /hard/ }));
  for (const words of ["12", "1,234", "56.0k", "$1.50", "What fails."]) {
    expect(row.getByText(words)).toBeVisible();
  }
  const to = (name: string) => row.getByRole("link", { name });
  expect(to(HARD.name)).toHaveAttribute("href", `/datasets/${HARD.id}`);
  expect(to(`Tapes of ${HARD.name}`)).toHaveAttribute("href", ITS_TAPES);
  expect(to(`Train: 8 of ${HARD.name}`)).toHaveAttribute("href", `${ITS_TAPES}+split%3Atrain`);
  expect(to("1 archived")).toHaveAttribute("href", `${ITS_TAPES}+is%3Aarchived`);
  expect(to(`Export ${HARD.name}`)).toHaveAttribute("href", `${ITS_TAPES}&export=1`);
  expect(row.queryByRole("link", { name: /^Validation/ })).toBeNull();

  await user.keyboard("j{Enter}");
  await waitFor(() => expect(address()).toBe(`/datasets/${HARD.id}`));
});

test("a project without datasets says how to fill one", async () => {
  open();

  expect(await screen.findByText("No datasets yet")).toBeVisible();
  expect(screen.getByRole("link", { name: "Choose tapes" })).toHaveAttribute("href", "/tapes");
});

test("what could not be loaded can be tried again", async () => {
  server.use(refuse("get", "/datasets", "The database is away.", 500));
  const { user } = renderScreen({ path: "/datasets", element: <DatasetsPage /> });

  expect(await screen.findByText("The database is away.")).toBeVisible();
  server.use(answer("get", "/datasets", { items: [HARD], next: null }));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("link", { name: HARD.name })).toBeVisible();
});

test("a dataset is made; a name that is taken is said", async () => {
  server.use(refuse("post", "/datasets", "The project already has a dataset 'a'."));
  const { user } = open();

  await user.click(await screen.findByRole("button", { name: "Create a dataset" }));
  expect(await screen.findByRole("button", { name: "Create dataset" })).toBeDisabled();
  await user.type(screen.getByLabelText("Name"), " a ");
  await user.click(screen.getByRole("button", { name: "Create dataset" }));
  expect(await screen.findByText("The project already has a dataset 'a'.")).toBeVisible();
  const made = record("post", "/datasets", HARD, 201);
  server.use(made.handler);
  await user.type(screen.getByLabelText("Description"), "For {{b}");
  await user.click(screen.getByRole("button", { name: "Create dataset" }));

  await waitFor(() => expect(screen.queryByLabelText("Description")).toBeNull());
  expect(made.requests[0]?.body).toEqual({ name: "a", description: "For {b}" });
});

test("a dataset is renamed", async () => {
  const changed = record("patch", `/datasets/${HARD.id}`, HARD);
  server.use(changed.handler);
  const { user } = open(HARD);

  await user.click(await screen.findByRole("button", { name: `Edit ${HARD.name}` }));
  await user.clear(await screen.findByLabelText("Name"));
  await user.type(screen.getByLabelText("Name"), "easy");
  await user.click(screen.getByRole("button", { name: "Save" }));

  await waitFor(() => expect(changed.requests).toHaveLength(1));
  expect(changed.requests[0]?.body).toEqual({ name: "easy", description: "What fails." });
});

test("a dataset is deleted, and that is taken back", async () => {
  const deleted = record("delete", `/datasets/${HARD.id}`, null, 204);
  const restored = record("post", `/datasets/${HARD.id}/restore`, HARD);
  server.use(deleted.handler, restored.handler);
  const { user } = open(HARD);

  await user.click(await screen.findByRole("button", { name: `Delete ${HARD.name}` }));
  await user.click(await screen.findByRole("button", { name: "Undo" }));

  await waitFor(() => expect(restored.requests).toHaveLength(1));
  expect(deleted.requests).toHaveLength(1);
});

test("who may only look changes nothing", async () => {
  server.use(answer("get", "/session", session({ role: "viewer" })));
  open(HARD);

  await screen.findByRole("link", { name: `Export ${HARD.name}` });
  await waitFor(() => expect(screen.queryByRole("button", { name: /^Delete/ })).toBeNull());
  expect(screen.queryByRole("button", { name: "Create a dataset" })).toBeNull();
});
