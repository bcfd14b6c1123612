import { screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";

import { TapePage } from "@/features/tape-editor/TapePage";
import { buildCall, buildStep } from "@/features/tape-editor/testing/builders";
import { buildTape, serveTape, STEPS, TAPE } from "@/features/tape-editor/testing/page";
import { listenForKeys } from "@/lib/keys";
import { answer } from "@/testing/answers";
import { FakeSocket } from "@/testing/FakeSocket";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";
const SCREEN = { type: "image_url", image_url: { url: PIXEL } };
const MESSAGES = [
  { role: "system", content: "Be brief." },
  { role: "user", content: '{"kind":"task","wanted":{"city":"Oslo"}}' },
  { role: "user", content: "RootWebArea Shop\n  generic, live='polite'\n    BID:a1 link Home" },
  { role: "user", content: [{ type: "text", text: "The screen:" }, SCREEN] },
];

let stopKeys: () => void;
beforeEach(() => {
  FakeSocket.install();
  stopKeys = listenForKeys();
});
afterEach(() => stopKeys());

async function open(query = "") {
  const call = buildCall({ messages: MESSAGES, message_count: MESSAGES.length });
  serveTape(buildTape(), [...STEPS.slice(0, 1), buildStep(1, { call_id: call.id })]);
  server.use(answer("get", `/tapes/${TAPE}/calls/${call.id}`, call));
  const { user } = renderScreen({
    path: "/t/:tapeId",
    element: <TapePage />,
    at: `/t/${TAPE}?step=1${query}`,
  });
  const inspector = await screen.findByRole("complementary", { name: "Inspector" });
  await within(inspector).findByText("Be brief.");
  return { user, inspector: within(inspector) };
}

test("data in a prompt is a tree, a page its elements, an image is seen", async () => {
  const { inspector } = await open();

  expect(inspector.getByText("wanted")).toBeVisible();
  expect(inspector.getByText("Home").closest("li")).toHaveTextContent("BID:a1 link Home");
  expect(inspector.queryByText(/polite/)).toBeNull();
  expect(inspector.getByRole("img", { name: "From the tape" })).toHaveAttribute("src", PIXEL);
});

test("messages fold alone and together, also in the wide prompt", async () => {
  const { user, inspector } = await open();

  await user.click(inspector.getByRole("button", { name: /^system/ }));
  expect(inspector.getByRole("button", { name: /^system/ })).toHaveTextContent("Be brief.");
  expect(inspector.getByRole("img", { name: "From the tape" })).toBeVisible();

  await user.click(inspector.getByRole("button", { name: "Collapse all messages" }));
  expect(inspector.queryByRole("img", { name: "From the tape" })).toBeNull();
  await user.keyboard("W");
  const wide = within(await screen.findByRole("dialog", { name: "Prompt" }));
  const [, task] = wide.getAllByRole("button", { name: /^user/ });
  expect(task).toHaveTextContent("RootWebArea Shop");
  await user.click(wide.getByRole("button", { name: "Expand all messages" }));
  expect(wide.getByText("wanted")).toBeVisible();

  await user.keyboard("{Escape}");
  expect(screen.queryByRole("dialog", { name: "Prompt" })).toBeNull();
});

test.each([
  ["environment", "observation", "", "The environment wrote it."],
  ["agent", "control", "route", "The node route did not call a model."],
  ["import", "action", "", "The imported file has no call with this step's prompt id."],
] as const)(
  "of a step by the %s without a call it says why",
  async (writer, family, node, said) => {
    const step = buildStep(1, { writer, family, node, agent: "chat" });
    serveTape(buildTape(), [...STEPS.slice(0, 1), step]);
    renderScreen({ path: "/t/:tapeId", element: <TapePage />, at: `/t/${TAPE}?step=1` });

    expect(await screen.findByText(said)).toBeVisible();
    expect(await screen.findByRole("region", { name: "In later prompts" })).toBeVisible();
  },
);
