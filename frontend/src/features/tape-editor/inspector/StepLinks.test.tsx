import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import { TapePage } from "@/features/tape-editor/TapePage";
import { buildStep } from "@/features/tape-editor/testing/builders";
import { buildTape, serveTape, TAPE } from "@/features/tape-editor/testing/page";
import { answer } from "@/testing/answers";
import { FakeSocket } from "@/testing/FakeSocket";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const STEPS = [
  buildStep(0, { kind: "assistant", gist: "search()", body: { kind: "assistant" } }),
  buildStep(1, { kind: "tool", family: "observation", body: { kind: "tool", content: "12" } }),
  buildStep(2, { kind: "assistant", gist: "It is 12", body: { kind: "assistant" } }),
];

function open(links: object) {
  serveTape(buildTape({ step_count: STEPS.length }), STEPS);
  server.use(answer("get", `/tapes/${TAPE}/steps/1/links`, links));
  const at = `/t/${TAPE}?step=1&view=provenance`;
  return renderScreen({ path: "/t/:tapeId", element: <TapePage />, at });
}

beforeEach(() => FakeSocket.install());

test("an observation leads to its call and to what was made with it", async () => {
  const cause = { position: 0, told_by: "id", tool: "search", seconds: 2.5 };
  const { user } = open({ cause, prompts: [2], later_prompt_count: 3, is_cut: false });

  const caused = await screen.findByRole("region", { name: "Caused by" });
  expect(caused).toHaveTextContent("Answers the call of search, after 2.5 s.");
  const readers = screen.getByRole("region", { name: "In later prompts" });
  expect(readers).toHaveTextContent("Its text appears in 1 of 3 later prompts");
  expect(await within(readers).findByRole("button", { name: /It is 12/ })).toBeVisible();
  await user.click(within(caused).getByRole("button", { name: /search/ }));

  expect(screen.getByRole("article", { name: /^Step 0,/ })).toHaveAttribute("aria-current");
});

test("what is not recorded is said", async () => {
  const cause = { position: 0, told_by: "order", tool: "", seconds: null };
  open({ cause, prompts: [], later_prompt_count: 0, is_cut: false });

  expect(await screen.findByRole("region", { name: "Caused by" })).toHaveTextContent(
    "Follows the action; no id says which call it answers; how long it took is not recorded.",
  );
  expect(screen.getByText("No later LLM call is recorded.")).toBeVisible();
});
