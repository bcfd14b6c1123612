import { screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";

import { AgentEditorPage } from "@/features/agent-editor/AgentEditorPage";
import { AGENT, draft, serveEditor, SPEC } from "@/features/agent-editor/testing";
import { record, refuse } from "@/testing/answers";
import { uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const PAY = { action: "deny", tool: "pay", arguments: "amount > `1000`", reason: "Ask first." };
const LOOK = { action: "allow", tool: "look" };
const SENTENCES = ["Refuse pay when amount > 1000, and tell the agent: Ask first.", "Allow look."];

const openRules = () =>
  renderScreen({
    path: "/agents/:agentId/edit",
    element: <AgentEditorPage />,
    at: `/agents/${AGENT}/edit?node=/`,
  });

const ruled = (rules: unknown[], part = {}) =>
  draft({ spec: { ...SPEC, tool_rules: rules }, tool_rules: SENTENCES, ...part });

const findRules = async () => within(await screen.findByRole("region", { name: "Tool rules" }));

test("a rule is added, filled in, and says what it means", async () => {
  const { newest } = serveEditor(draft({ tool_rules: SENTENCES }));
  const { user } = openRules();
  const rules = await findRules();

  await user.click(rules.getByRole("button", { name: "Add a rule" }));
  await waitFor(() => expect(rules.getByRole("combobox", { name: "What happens" })).toHaveFocus());
  const paste = async (field: HTMLElement, text: string) => {
    await user.clear(field);
    await user.paste(text);
  };
  await paste(rules.getByRole("combobox", { name: "Tool" }), PAY.tool);
  await paste(rules.getByRole("textbox", { name: "When its arguments" }), PAY.arguments);
  await paste(rules.getByRole("textbox", { name: "Tell the agent" }), PAY.reason);

  await waitFor(() => expect(newest()).toMatchObject({ tool_rules: [PAY] }));
  expect(await rules.findByText(/^Refuse pay when amount > 1000/)).toBeVisible();
});

test("what an action does not use goes with it", async () => {
  const { newest } = serveEditor(ruled([PAY]));
  const { user } = openRules();
  const rules = await findRules();

  await user.click(rules.getByRole("combobox", { name: "What happens" }));
  await user.click(await screen.findByRole("option", { name: /^Replace/ }));
  await user.type(rules.getByRole("textbox", { name: "Answer" }), "later");

  const { tool, arguments: condition } = PAY;
  await waitFor(() =>
    expect(newest()?.tool_rules).toEqual([
      { action: "replace", tool, arguments: condition, answer: "later" },
    ]),
  );
});

test("a rule that emulates needs nothing more, and says who answers", async () => {
  const { newest } = serveEditor(ruled([PAY]));
  const { user } = openRules();
  const rules = await findRules();

  await user.click(rules.getByRole("combobox", { name: "What happens" }));
  await user.click(await screen.findByRole("option", { name: /^Emulate/ }));

  expect(rules.getByText(/named “emulator” answers/)).toBeVisible();
  expect(rules.queryByRole("textbox", { name: "Tell the agent" })).not.toBeInTheDocument();
  const { tool, arguments: condition } = PAY;
  await waitFor(() =>
    expect(newest()?.tool_rules).toEqual([{ action: "emulate", tool, arguments: condition }]),
  );
});

test("rules are moved by keyboard and removed; without any, the agent has none", async () => {
  const { newest } = serveEditor(ruled([PAY, LOOK]));
  const { user } = openRules();
  const rules = await findRules();

  rules.getByRole("button", { name: "Move rule 2 up" }).focus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(newest()?.tool_rules).toEqual([LOOK, PAY]));
  await waitFor(() =>
    expect(rules.getByRole("button", { name: "Move rule 1 down" })).toHaveFocus(),
  );
  await user.click(rules.getByRole("button", { name: "Remove rule 1" }));
  await user.click(rules.getByRole("button", { name: "Remove rule 1" }));

  expect(rules.getByText(/^None/)).toBeVisible();
  await waitFor(() => expect(newest()).not.toHaveProperty("tool_rules"));
});

test("a problem is at its field, and leads there from the foot of the page", async () => {
  const message = "Write a number in backticks: `1000`.";
  serveEditor(
    ruled([LOOK, PAY], {
      problems: [{ path: "/tool_rules/1/arguments", message, severity: "error" }],
    }),
  );
  const { user } = openRules();

  const problems = within(await screen.findByRole("list", { name: "Problems" }));
  await user.click(problems.getByRole("button"));

  const fields = screen.getAllByRole("textbox", { name: "When its arguments" });
  await waitFor(() => expect(fields[1]).toHaveFocus());
  expect(fields[1]).toHaveAccessibleDescription(message);
});

test("a dry run lists the calls that the rules would have stopped, each with its step", async () => {
  serveEditor(ruled([PAY, LOOK]));
  const { handler, requests } = record("post", "/tool-rules/dry-run", {
    tape_count: 3,
    is_cut: false,
    stopped_count: 1,
    rules: [
      { sentence: SENTENCES[0], count: 1 },
      { sentence: SENTENCES[1], count: 4 },
    ],
    calls: [
      {
        tape_id: uuid(7),
        title: "Pay them",
        position: 5,
        agent: "payer",
        tool: "pay",
        arguments: '{"to": "<b>me</b>"}',
        rule: 0,
        action: "deny",
      },
    ],
  });
  server.use(handler);
  const { user } = openRules();
  const rules = await findRules();

  await user.click(rules.getByRole("button", { name: "Try" }));

  const calls = within(await rules.findByRole("list", { name: /would have been stopped/ }));
  expect(requests[0]?.body).toMatchObject({ q: 'agent:"analyst"', rules: [PAY, LOOK] });
  expect(rules.getByText("3 tapes read. 1 call would have been stopped.")).toBeVisible();
  expect(rules.getByText("Rule 2 decided 4 calls")).toBeVisible();
  const line = calls.getByRole("link");
  expect(line).toHaveTextContent('pay {"to": "<b>me</b>"}denied by rule 1 · step 5 of Pay them');
  expect(line).toHaveAttribute("href", expect.stringContaining(`tape=${uuid(7)}&step=5`));

  await user.click(rules.getByRole("button", { name: "Remove rule 2" }));
  expect(rules.getByText(/try again/)).toBeVisible();
});

test("a dry run that finds nothing, or is refused, says so", async () => {
  serveEditor(ruled([PAY]));
  server.use(refuse("post", "/tool-rules/dry-run", "Tool rule 1: wrong.", 422));
  const { user } = openRules();
  const rules = await findRules();

  await user.click(rules.getByRole("button", { name: "Try" }));
  expect(await rules.findByRole("alert")).toHaveTextContent("Tool rule 1: wrong.");

  const none = { tape_count: 0, is_cut: false, stopped_count: 0, rules: [], calls: [] };
  server.use(
    http.post("http://studio.test/api/v1/tool-rules/dry-run", () => HttpResponse.json(none)),
  );
  await user.click(rules.getByRole("button", { name: "Try" }));
  expect(await rules.findByText("The query finds no tape.")).toBeVisible();
});
