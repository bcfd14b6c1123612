import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import { TapePage } from "@/features/tape-editor/TapePage";
import { buildTape, serveTape, TAPE } from "@/features/tape-editor/testing/page";
import { answer, refuse } from "@/testing/answers";
import { agentDetail, agentRow, uuid } from "@/testing/builders";
import { FakeSocket } from "@/testing/FakeSocket";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

beforeEach(() => FakeSocket.install());

test("what the server would refuse is said at its field, and nothing can be started", async () => {
  const sentence = "A limit in money needs the price of every model: mini has none.";
  const details = { field: "budget.micro_usd" };
  serveTape(buildTape({ expected: "42" }));
  server.use(
    answer("get", "/agents", [agentRow()]),
    answer("get", `/agents/${uuid(300)}`, agentDetail()),
    refuse("post", `/tapes/${TAPE}/experiments/check`, sentence, 422, details),
  );

  renderScreen({
    path: "/t/:tapeId",
    element: <TapePage />,
    at: `/t/${TAPE}?n=new&step=0`,
  });

  const dialog = within(await screen.findByRole("dialog", { name: "Run N" }));
  const limit = await dialog.findByRole("textbox", { name: "Cost" });
  await waitFor(() => expect(limit).toHaveAccessibleDescription(sentence));
  expect(dialog.getByRole("button", { name: /^Start/ })).toBeDisabled();
});
