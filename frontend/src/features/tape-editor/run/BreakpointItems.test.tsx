import { Menu } from "@mantine/core";
import { screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";

import type { StepJson } from "@/features/tape-editor/draft";
import { createEditorStore, EditorProvider } from "@/features/tape-editor/editor";
import { BreakpointItems } from "@/features/tape-editor/run/BreakpointItems";
import { renderScreen } from "@/testing/render";

function StepMenu({ body }: { body: StepJson | undefined }) {
  const [store] = useState(() => createEditorStore("tape"));
  return (
    <EditorProvider value={store}>
      <Menu closeOnItemClick={false} hideDetached={false}>
        <Menu.Target>
          <button type="button">More</button>
        </Menu.Target>
        <Menu.Dropdown>
          <BreakpointItems node="act" kind="assistant" body={body} />
        </Menu.Dropdown>
      </Menu>
    </EditorProvider>
  );
}

async function openMenu(body: StepJson | undefined) {
  const { user } = renderScreen({ path: "/", element: <StepMenu body={body} /> });
  await user.click(await screen.findByRole("button", { name: "More" }));
  return user;
}

const call = (id: string, name: string) => ({ id, function: { name, arguments: "{}" } });

test("a run can be paused before each tool that a step calls", async () => {
  const tools = [call("a", "search"), call("b", "search"), call("c", "send")];
  const body = { kind: "assistant", tool_calls: tools };
  const user = await openMenu(body);

  await user.click(await screen.findByRole("menuitem", { name: "Pause before tool search" }));

  expect(
    await screen.findByRole("menuitem", { name: "Do not pause before tool search" }),
  ).toBeVisible();
  expect(screen.getByRole("menuitem", { name: "Pause before tool send" })).toBeVisible();
  expect(screen.getAllByRole("menuitem")).toHaveLength(4);
});

test.each([undefined, { kind: "user", content: "hi" }, { kind: "x", tool_calls: "search" }])(
  "a step that calls no tool offers its node and kind alone",
  async (body) => {
    await openMenu(body);

    expect(await screen.findByRole("menuitem", { name: "Pause before act" })).toBeVisible();
    expect(screen.getAllByRole("menuitem")).toHaveLength(2);
  },
);
