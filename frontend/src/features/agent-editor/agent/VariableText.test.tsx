import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { AgentEditorPage } from "@/features/agent-editor/AgentEditorPage";
import { offerAt, takeOffer } from "@/features/agent-editor/draft/textVariables";
import { AGENT, serveEditor } from "@/features/agent-editor/testing";
import { renderScreen } from "@/testing/render";

const VARIABLES = [
  { name: "tool.content", holds: "" },
  { name: "user.content", holds: "" },
  { name: "plan.user_name", holds: "" },
  { name: "plan.status", holds: "" },
];
const FILTERS = [{ name: "json", holds: "as JSON" }];

const offered = (text: string, caret = text.length) =>
  offerAt(text, caret, VARIABLES, FILTERS)?.options.map(({ name }) => name) ?? [];

test("names in which a word begins as typed are offered, those that begin so first", () => {
  expect(offered("Hello {{")).toHaveLength(4);
  expect(offered("Hello {{ us")).toEqual(["user.content", "plan.user_name"]);
  expect(offered("{{ na")).toEqual(["plan.user_name"]);
  expect(offered("{{ user.content | ")).toEqual(["json"]);
  expect(offered("{{ user.content |js", 5)).toEqual(["user.content", "plan.user_name"]);
});

test("nothing is offered outside of braces, for a complete name, or for one that nothing has", () => {
  expect(offered("Hello { us")).toEqual([]);
  expect(offered("{{ user.content }} us")).toEqual([]);
  expect(offered("{{ user.content")).toEqual([]);
  expect(offered("{{ os.system")).toEqual([]);
  expect(offered("{{ user.content | shout")).toEqual([]);
});

test("a name takes the place of what was typed of it and is closed once", () => {
  const take = (text: string, caret: number, name: string) => {
    const offer = offerAt(text, caret, VARIABLES, FILTERS);
    return offer === null ? null : takeOffer(text, caret, offer, name);
  };

  expect(take("Hi {{", 5, "user.content")).toEqual({ text: "Hi {{ user.content }}", caret: 21 });
  expect(take("{{ us }}!", 5, "user.content")).toEqual({ text: "{{ user.content }}!", caret: 15 });
  expect(take("{{ us.con | json }}", 5, "user.content")?.text).toBe("{{ user.content | json }}");
  expect(take("{{ user.content | j", 19, "json")?.text).toBe("{{ user.content | json }}");
});

async function openField() {
  const served = serveEditor();
  const { user } = renderScreen({
    path: "/agents/:agentId/edit",
    element: <AgentEditorPage />,
    at: `/agents/${AGENT}/edit`,
  });
  const field = await screen.findByRole("textbox", { name: "Instruction" });
  return { ...served, user, field };
}

const isMarked = (field: HTMLElement, name: RegExp) =>
  waitFor(() =>
    expect(field).toHaveAttribute(
      "aria-activedescendant",
      within(screen.getByRole("listbox", { name: "Variables" })).getByRole("option", { name }).id,
    ),
  );

test("a variable and a filter are chosen by keyboard as one types", async () => {
  const { user, field, newest } = await openField();

  await user.type(field, " Asked: {{{{");
  expect(await screen.findByText("What the person says (newest user step)")).toBeVisible();
  expect(screen.getByText("3 suggestions: arrow keys choose, Enter inserts")).toBeInTheDocument();
  expect(field).toHaveAttribute(
    "aria-controls",
    screen.getByRole("listbox", { name: "Variables" }).id,
  );
  await isMarked(field, /^user\.content/);
  await user.keyboard("{ArrowDown}");
  await isMarked(field, /^tool\.content/);
  await user.keyboard("{Enter}");
  expect(field).toHaveValue("You are an analyst. Asked: {{ tool.content }}");
  expect(field).not.toHaveAttribute("aria-controls");

  await user.type(field, " {{{{us");
  await isMarked(field, /^user\.content/);
  await user.keyboard("{Tab}");
  await waitFor(() => expect(field).toHaveFocus());
  await user.type(field, "{Backspace}{Backspace}| ");
  await isMarked(field, /^json/);
  await user.keyboard("{Enter}");

  const text = "You are an analyst. Asked: {{ tool.content }} {{ user.content | json }}";
  expect(field).toHaveValue(text);
  await waitFor(() => expect(newest()).toMatchObject({ templates: { system: text } }));
});

test("Escape leaves the text as it was typed, and the keys to the text", async () => {
  const { user, field } = await openField();

  await user.type(field, "{{{{");
  await isMarked(field, /^user\.content/);
  await user.keyboard("{Escape}{Enter}");

  expect(field).toHaveValue("You are an analyst.{{\n");
  expect(field).not.toHaveAttribute("aria-activedescendant");
});

test("a variable is chosen by mouse", async () => {
  const { user, field } = await openField();

  await user.type(field, " {{{{tool");
  await isMarked(field, /^tool\.content/);
  await user.click(screen.getByRole("option", { name: /^tool\.is_error/ }));

  expect(field).toHaveValue("You are an analyst. {{ tool.is_error }}");
  await waitFor(() => expect(field).toHaveFocus());
});
