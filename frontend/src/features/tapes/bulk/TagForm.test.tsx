import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { chooseAll, chooseRows, countTags } from "@/features/tapes/bulk/chosen";
import { TagButton } from "@/features/tapes/bulk/TagButton";
import { answer, record, refuse } from "@/testing/answers";
import { tapeRow, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const TAGS = [
  { name: "bad", tape_count: 1 },
  { name: "good", tape_count: 7 },
];
const ROWS = [
  tapeRow({ id: uuid(1), tags: ["bad", "seen"] }),
  tapeRow({ id: uuid(2), tags: ["seen"] }),
];
const CHANGE = { id: uuid(50), tape_count: 2, changed_count: 2 };

async function openForm(chosen = chooseRows(ROWS)) {
  server.use(answer("get", "/tapes/tags", TAGS));
  const { user } = renderScreen({ path: "/", element: <TagButton chosen={chosen} />, at: "/" });
  await user.click(screen.getByRole("button", { name: "Tags" }));
  return { user, dialog: await screen.findByRole("dialog") };
}

test("tags are added and removed on the checked tapes, and that can be undone", async () => {
  const changes = record("post", "/tapes/tags", CHANGE);
  const undos = record("post", `/tapes/tags/${uuid(50)}/undo`, { tape_count: 2 });
  server.use(changes.handler, undos.handler);
  const { user, dialog } = await openForm();

  await waitFor(() =>
    expect(within(dialog).getByText("Current tags: seen, bad (1)")).toBeVisible(),
  );
  await user.type(within(dialog).getByLabelText("Add"), "  Very   Good{Enter}");
  await user.type(within(dialog).getByLabelText("Remove"), "bad{Enter}");
  await user.click(within(dialog).getByRole("button", { name: "Change tags" }));

  await waitFor(() => expect(changes.requests).toHaveLength(1));
  expect(changes.requests[0]?.body).toMatchObject({
    tape_ids: [uuid(1), uuid(2)],
    add: ["very good"],
    remove: ["bad"],
  });
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() => expect(undos.requests).toHaveLength(1));
});

test("all of a list are tagged by what narrows it", async () => {
  const changes = record("post", "/tapes/tags", CHANGE);
  server.use(changes.handler);
  const { user, dialog } = await openForm(chooseAll({ q: "agent:chat" }, 100_000));

  expect(within(dialog).getByRole("heading")).toHaveTextContent("Tags of all 100,000 tapes");
  await user.type(within(dialog).getByLabelText("Add"), "x{Enter}");
  await user.click(within(dialog).getByRole("button", { name: "Change tags" }));

  await waitFor(() => expect(changes.requests[0]?.body).toMatchObject({ q: "agent:chat" }));
  expect(changes.requests[0]?.body).not.toHaveProperty("tape_ids");
});

test("what contradicts itself cannot be sent, and a refusal is shown", async () => {
  server.use(refuse("post", "/tapes/tags", "Only 1 of 2 tapes are in this project.", 404));
  const { user, dialog } = await openForm();
  const send = within(dialog).getByRole("button", { name: "Change tags" });

  expect(send).toBeDisabled();
  await user.type(within(dialog).getByLabelText("Add"), "bad{Enter}");
  await user.type(within(dialog).getByLabelText("Remove"), "bad{Enter}");
  expect(within(dialog).getByRole("alert")).toHaveTextContent("cannot be both added and removed");
  expect(send).toBeDisabled();

  await user.keyboard("{Backspace}");
  await user.click(send);
  expect(await within(dialog).findByRole("alert")).toHaveTextContent(
    "Only 1 of 2 tapes are in this project.",
  );
});

test("tags of rows are counted, the most frequent first", () => {
  expect(countTags(ROWS)).toEqual([
    { name: "seen", count: 2 },
    { name: "bad", count: 1 },
  ]);
});
