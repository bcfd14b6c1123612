import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";

import { chooseAll, chooseRows } from "@/features/tapes/bulk/chosen";
import { DatasetMenu } from "@/features/tapes/bulk/DatasetMenu";
import { answer, record, refuse } from "@/testing/answers";
import { tapeRow, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const HARD = { id: uuid(60), name: "hard ones", has_tape: false };
const RARE = { id: uuid(61), name: "rare ones", has_tape: false };
const CHANGE = { id: uuid(50), tape_count: 2, changed_count: 2 };
const ROWS = [tapeRow({ id: uuid(1) }), tapeRow({ id: uuid(2) })];
const FIELD = "Find a dataset or name a new one";

async function openMenu({ chosen = chooseRows(ROWS), query = "", names = [HARD, RARE] } = {}) {
  server.use(answer("get", "/datasets/names", names));
  const onRemoved = vi.fn();
  const screenOf = renderScreen({
    path: "/",
    element: <DatasetMenu chosen={chosen} query={query} onRemoved={onRemoved} />,
  });
  await screenOf.user.click(screen.getByRole("button", { name: "Add to dataset" }));
  await waitFor(() => expect(screen.getByRole("combobox", { name: FIELD })).toHaveFocus());
  return { ...screenOf, onRemoved };
}

test("tapes go into the dataset that fits what is typed, and that is undone", async () => {
  const added = record("post", `/datasets/${RARE.id}/add`, CHANGE);
  const undone = record("post", `/datasets/changes/${uuid(50)}/undo`, { tape_count: 2 });
  server.use(added.handler, undone.handler);
  const { user, address } = await openMenu();
  await screen.findByRole("option", { name: "hard ones" });

  await user.keyboard("RARE{Enter}");

  expect(await screen.findByText("2 tapes added to “rare ones”")).toBeVisible();
  expect(added.requests[0]?.body).toMatchObject({ tape_ids: [uuid(1), uuid(2)] });
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(undone.requests).toHaveLength(1));
  expect(address()).toBe("/");
});

test("a name that is not there makes a dataset, which is shown or taken back", async () => {
  const made = record("post", "/datasets", { id: uuid(62), tape_count: 2 }, 201);
  server.use(made.handler);
  const { user, address } = await openMenu({ names: [] });

  const notice = await screen.findByText("No dataset yet: type a name");
  expect(notice).toBeVisible();
  // The children of a list are options alone, or readers for the blind count a wrong one.
  expect(notice.closest("[role=listbox]")).toBeNull();
  await user.keyboard(" new ones ");
  await user.click(await screen.findByRole("option", { name: "Create “new ones”" }));

  expect(await screen.findByText("2 tapes added to the new dataset “new ones”")).toBeVisible();
  expect(made.requests[0]?.body).toMatchObject({
    name: "new ones",
    selection: { tape_ids: [uuid(1), uuid(2)] },
  });
  await user.click(screen.getByRole("button", { name: "Show the dataset" }));
  await waitFor(() => expect(address()).toBe("/tapes?q=dataset%3A%22new+ones%22"));
});

test("all of a list leave the dataset that its query names", async () => {
  const removed = record("post", `/datasets/${HARD.id}/remove`, CHANGE);
  server.use(removed.handler);
  const query = 'dataset:"hard ones" -dataset:"rare ones"';
  const { user, onRemoved } = await openMenu({ chosen: chooseAll({ q: query }, 2), query });

  expect(await screen.findByRole("option", { name: "rare ones" })).toBeVisible();
  expect(screen.queryByRole("option", { name: "Remove from “rare ones”" })).toBeNull();
  await user.click(screen.getByRole("option", { name: "Remove from “hard ones”" }));

  expect(await screen.findByText("2 tapes removed from “hard ones”")).toBeVisible();
  expect(removed.requests[0]?.body).toMatchObject({ q: query });
  expect(onRemoved).toHaveBeenCalledOnce();
});

test("what changed nothing, or was refused, is said", async () => {
  server.use(
    answer("post", `/datasets/${HARD.id}/add`, { id: null, tape_count: 2, changed_count: 0 }),
    refuse("post", `/datasets/${RARE.id}/add`, "Dataset not found.", 404),
  );
  const { user } = await openMenu();
  await user.click(await screen.findByRole("option", { name: "hard ones" }));
  expect(await screen.findByText("No tape added to “hard ones”")).toBeVisible();

  await user.click(screen.getByRole("button", { name: "Add to dataset" }));
  await user.click(await screen.findByRole("option", { name: "rare ones" }));

  expect(await screen.findByText("Dataset not found.")).toBeVisible();
});
