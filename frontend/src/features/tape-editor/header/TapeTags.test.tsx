import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";

import { TapePage } from "@/features/tape-editor/TapePage";
import { buildTape, serveTape, TAPE } from "@/features/tape-editor/testing/page";
import { listenForKeys } from "@/lib/keys";
import { answer, record } from "@/testing/answers";
import { uuid } from "@/testing/builders";
import { FakeSocket } from "@/testing/FakeSocket";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const FIELD = "Type a tag, then Enter";
let stopKeys: () => void;
beforeEach(() => {
  FakeSocket.install();
  stopKeys = listenForKeys();
});
afterEach(() => stopKeys());

async function openTape() {
  serveTape(buildTape({ tags: ["bad", "seen"] }));
  const changes = record("post", "/tapes/tags", {
    id: uuid(50),
    tape_count: 1,
    changed_count: 1,
  });
  server.use(answer("get", "/tapes/tags", []), changes.handler);
  const { user } = renderScreen({ path: "/t/:tapeId", element: <TapePage />, at: `/t/${TAPE}` });
  await screen.findByRole("list", { name: "Tags" });
  return { user, requests: changes.requests };
}

test("t changes the tags by keyboard alone, and Enter with nothing typed is done", async () => {
  const { user, requests } = await openTape();

  await user.keyboard("t");
  const field = await screen.findByPlaceholderText(FIELD);
  await waitFor(() => expect(field).toHaveFocus());
  await user.keyboard("{Backspace}Good  one{Enter}{Enter}");

  await waitFor(() => expect(requests).toHaveLength(1));
  expect(requests[0]?.body).toMatchObject({
    tape_ids: [TAPE],
    add: ["good one"],
    remove: ["seen"],
  });
  expect(screen.queryByPlaceholderText(FIELD)).toBeNull();
});

test("Escape leaves the tags as they are", async () => {
  const { user, requests } = await openTape();

  await user.click(screen.getByRole("button", { name: "Change the tags" }));
  await user.type(await screen.findByPlaceholderText(FIELD), "{Backspace}{Escape}");

  expect(await screen.findByRole("list", { name: "Tags" })).toHaveTextContent("badseen");
  expect(requests).toHaveLength(0);
});
