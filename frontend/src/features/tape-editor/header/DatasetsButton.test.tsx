import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import { TapePage } from "@/features/tape-editor/TapePage";
import { buildTape, serveTape, TAPE } from "@/features/tape-editor/testing/page";
import { answer, record } from "@/testing/answers";
import { uuid } from "@/testing/builders";
import { FakeSocket } from "@/testing/FakeSocket";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

beforeEach(() => FakeSocket.install());

test("the open tape says in which datasets it is, and leaves one", async () => {
  serveTape(buildTape({}));
  const change = { id: uuid(50), tape_count: 1, changed_count: 1 };
  const removed = record("post", `/datasets/${uuid(60)}/remove`, change);
  server.use(
    answer("get", "/datasets/names", [
      { id: uuid(60), name: "hard", has_tape: true },
      { id: uuid(61), name: "rare", has_tape: false },
    ]),
    removed.handler,
  );
  const { user } = renderScreen({ path: "/t/:tapeId", element: <TapePage />, at: `/t/${TAPE}` });

  await user.click(await screen.findByRole("button", { name: "Datasets" }));
  const chosen = await screen.findByLabelText("Selected");
  expect(chosen.closest("[role=option]")).toHaveTextContent("hard");
  await user.click(screen.getByRole("option", { name: /hard/ }));

  await waitFor(() => expect(removed.requests[0]?.body).toMatchObject({ tape_ids: [TAPE] }));
  expect(await screen.findByText("1 tape removed from “hard”")).toBeVisible();
});
