import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { AgentEditorPage } from "@/features/agent-editor/AgentEditorPage";
import { withKind, withoutKind } from "@/features/agent-editor/draft/kindChanges";
import { AGENT, draft, nodeType, serveEditor, SPEC } from "@/features/agent-editor/testing";
import { answer } from "@/testing/answers";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const VERDICT = {
  name: "Verdict",
  family: "thought" as const,
  description: "",
  fields: [
    { name: "label", type: "choice", description: "", required: true, choices: ["yes", "no"] },
    { name: "reason", type: "text", description: "", required: false },
  ],
};
const MONO = { type: "builders.MonoNode", settings: { name: "judge", steps: ["Verdict"] } };
const JUDGING = { ...SPEC, nodes: [MONO], subagents: [], kinds: [VERDICT] };

function open(at: string) {
  server.use(
    answer("get", "/agents/node-types", [
      nodeType(),
      nodeType({
        type: MONO.type,
        settings_schema: { type: "object", properties: { steps: { type: "array" } } },
      }),
    ]),
  );
  return renderScreen({
    path: "/agents/:agentId/edit",
    element: <AgentEditorPage />,
    at: `/agents/${AGENT}/edit?node=${at}`,
  });
}

test("a kind is defined by keyboard beside the steps of a node, which may write it at once", async () => {
  const { newest } = serveEditor(
    draft({ spec: { ...JUDGING, nodes: [{ ...MONO, settings: { name: "judge" } }], kinds: [] } }),
  );
  const { user } = open("/nodes/0");

  (await screen.findByRole("button", { name: "New kind…" })).focus();
  await user.keyboard("{Enter}");
  const dialog = within(await screen.findByRole("dialog", { name: "New kind of step" }));
  await waitFor(() => expect(dialog.getByRole("textbox", { name: "Name" })).toHaveFocus());
  await user.keyboard("Verdict");
  const field = within(dialog.getByRole("group", { name: "Field 1" }));
  await user.clear(field.getByRole("textbox", { name: "Field" }));
  await user.type(field.getByRole("textbox", { name: "Field" }), "reason{Enter}");

  await waitFor(() =>
    expect(newest()).toMatchObject({
      kinds: [{ name: "Verdict", family: "thought", fields: [{ name: "reason", type: "text" }] }],
      nodes: [{ settings: { steps: ["Verdict"] } }],
    }),
  );
  expect(await screen.findByText("Verdict", { selector: "[class*=Pill] *" })).toBeVisible();
  await waitFor(() => expect(screen.getByRole("button", { name: "New kind…" })).toHaveFocus());
});

test("kinds are listed in a sentence each, changed and removed", async () => {
  const { newest } = serveEditor(draft({ spec: JUDGING }));
  const { user } = open("/");
  const kinds = within(await screen.findByRole("region", { name: "Kinds of steps" }));

  expect(
    kinds.getByText("Verdict, a thought: label (yes or no), reason (text, optional)"),
  ).toBeVisible();
  await user.click(kinds.getByRole("button", { name: "Change the kind Verdict" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByRole("textbox", { name: "Name" }), "2");
  await user.click(dialog.getByRole("button", { name: "Add a field" }));
  await user.click(dialog.getByRole("button", { name: "Remove field 2" }));
  await user.click(dialog.getByRole("button", { name: "Change the kind" }));

  await waitFor(() =>
    expect(newest()).toMatchObject({
      kinds: [{ name: "Verdict2", fields: [{ name: "label" }, { name: "" }] }],
      nodes: [{ settings: { steps: ["Verdict2"] } }],
    }),
  );
  await user.click(kinds.getByRole("button", { name: "Remove the kind Verdict2" }));
  await waitFor(() => expect(newest()).toMatchObject({ nodes: [{ settings: { steps: [] } }] }));
  expect(newest()).not.toHaveProperty("kinds");
});

test("any JSON is read", () => {
  const hostile = { kinds: [3, { name: ["x"], fields: [null, { name: {}, choices: 1 }] }] };
  const kind = { ...VERDICT, fields: [] };
  expect(withKind(hostile, 0, kind).kinds).toHaveLength(2);
  expect(withoutKind({ kinds: "many" }, 0)).toEqual({});
});
