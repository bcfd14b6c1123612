import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, test } from "vitest";

import { readNumber } from "@/features/tape-editor/form/readNumber";
import { SchemaForm } from "@/features/tape-editor/form/SchemaForm";
import type { JsonObject } from "@/lib/json";
import { Look } from "@/ui/Look";

const schema = {
  type: "object",
  required: ["content"],
  additionalProperties: false,
  properties: {
    content: { type: "string" },
    note: { anyOf: [{ type: "string" }, { type: "null" }] },
    tags: { type: "array", items: { type: "string" } },
    call: { type: "object", properties: { name: { type: "string" }, arguments: {} } },
    size: {
      oneOf: [
        { title: "Exact", type: "object", required: ["n"], properties: { n: { type: "integer" } } },
        { title: "Word", type: "string" },
      ],
    },
  },
};

const before: JsonObject = {
  content: "old",
  note: null,
  tags: ["a", "b"],
  call: { name: "add", arguments: '{"x": 1}' },
  size: { n: 3 },
};

function open(start: JsonObject = before, ofForm: JsonObject = schema, recorded = before) {
  const changes: JsonObject[] = [start];
  function Form() {
    const [value, setValue] = useState(start);
    return (
      <SchemaForm
        schema={ofForm}
        value={value}
        before={recorded}
        onChange={(next) => {
          changes.push(next);
          setValue(next);
        }}
      />
    );
  }
  render(
    <Look>
      <Form />
    </Look>,
  );
  return { user: userEvent.setup(), newest: () => changes.at(-1) };
}

describe("a number", () => {
  const numbers = { type: "object", properties: { x: { type: "number" }, n: { type: "integer" } } };

  function openNumbers() {
    const opened = open({ x: 7, n: 3 }, numbers, { x: 7, n: 3 });
    const field = (name: string) => screen.getByRole("textbox", { name });
    return { ...opened, field };
  }

  test("half typed is never dropped, and counts for what it says", async () => {
    const { user, newest, field } = openNumbers();

    await user.clear(field("x"));
    await user.type(field("x"), "1.");
    expect(field("x")).toHaveValue("1.");
    expect(newest()).toEqual({ x: 1, n: 3 });
    await user.type(field("x"), "50");
    expect(field("x")).toHaveValue("1.50");
    await user.tab();
    expect(field("x")).toHaveValue("1.5");

    await user.clear(field("x"));
    await user.paste("-2.50");
    await user.tab();
    expect(newest()).toEqual({ x: -2.5, n: 3 });
    expect(screen.queryByText("This must be a number.")).not.toBeInTheDocument();
  });

  test("that is none yet stays and says so, also when the field is left", async () => {
    const { user, newest, field } = openNumbers();

    await user.clear(field("x"));
    await user.type(field("x"), "-");
    await user.tab();
    expect(field("x")).toHaveValue("-");
    expect(screen.getByText("This must be a number.")).toBeVisible();
    await user.clear(field("n"));
    await user.type(field("n"), "2.5");
    await user.tab();
    expect(field("n")).toHaveValue("2.5");
    expect(screen.getByText("This must be a whole number.")).toBeVisible();
    expect(newest()).toEqual({ x: 7, n: 2 });

    await user.type(field("x"), "4");
    expect(newest()).toEqual({ x: -4, n: 2 });
    expect(screen.queryByText("This must be a number.")).not.toBeInTheDocument();
  });

  test.each([
    ["1e3", 1000],
    [".5", 0.5],
    ["12345678901234567890", null],
    ["0x10", null],
    ["Infinity", null],
    ["", null],
  ])("%j is read as %j", (text, read) => {
    expect(readNumber(text, false)).toBe(read);
  });
});

test("a changed field is marked, shows what it was, and is put back alone", async () => {
  const { user, newest } = open();

  await user.type(screen.getByRole("textbox", { name: /^content/ }), "er");
  expect(newest()).toEqual({ ...before, content: "older" });
  await user.click(screen.getByRole("button", { name: "Recorded value of content" }));

  expect(await screen.findByRole("note", { name: "Recorded in content" })).toHaveTextContent("old");
  await user.click(screen.getByRole("button", { name: "Reset content" }));
  expect(newest()).toEqual(before);
});

test("items are added, moved and removed", async () => {
  const { user, newest } = open();
  const tags = within(screen.getByRole("group", { name: "tags" }));

  await user.click(tags.getByRole("button", { name: "Add item" }));
  await user.type(tags.getByRole("textbox", { name: /^2/ }), "c");
  await user.click(tags.getByRole("button", { name: "Move item 2 up" }));
  await user.click(tags.getByRole("button", { name: "Remove item 0" }));

  expect(newest()?.tags).toEqual(["c", "b"]);
});

test("a value that may be null is set and cleared", async () => {
  const { user, newest } = open();

  await user.type(screen.getByRole("textbox", { name: "note" }), "n");
  expect(newest()?.note).toBe("n");
  await user.click(screen.getByRole("button", { name: "Clear note" }));

  expect(newest()?.note).toBeNull();
});

test("arguments that are JSON text have fields of their own and stay text", async () => {
  const { user, newest } = open();

  await user.clear(screen.getByRole("textbox", { name: "x" }));
  await user.type(screen.getByRole("textbox", { name: "x" }), "25");

  expect(newest()?.call).toEqual({ name: "add", arguments: '{"x":25}' });
});

test("a value that does not fit is drawn as what it is, with the reason below", async () => {
  open({ ...before, content: 5 });

  expect(screen.getByRole("textbox", { name: /^content/ })).toHaveValue("5");
  expect(await screen.findByText("This must be text.")).toBeVisible();
});

test("a field that is missing is asked for", async () => {
  open({ note: "n" });

  expect(await screen.findByText("This field is required.")).toBeVisible();
});

describe("a tool call", () => {
  const TEXT = '{"city":  "Oslo", "days": 2}';
  const nested = {
    id: "call_1",
    type: "function",
    function: { name: "forecast", arguments: TEXT },
  };
  const flat = { id: "toolu_1", type: "tool_use", name: "forecast", input: { city: "Oslo" } };
  const calls: JsonObject = { tool_calls: [nested, flat] };

  function openCalls() {
    const opened = open(calls, {}, calls);
    const list = within(screen.getByRole("group", { name: "tool_calls" }));
    const call = (at: number) => within(list.getByRole("group", { name: String(at) }));
    return { ...opened, call };
  }

  test("shows its tool and its arguments, the rest is folded", () => {
    const { call } = openCalls();

    for (const at of [0, 1]) {
      expect(call(at).getByRole("textbox", { name: /^name/ })).toHaveValue("forecast");
      expect(call(at).getByRole("textbox", { name: "city" })).toHaveValue("Oslo");
      expect(call(at).getByRole("textbox", { name: "id", hidden: true })).not.toBeVisible();
      expect(call(at).queryByRole("group", { name: /^function/ })).not.toBeInTheDocument();
    }
  });

  test("has the recorded shape, to the letter where the same is said again", async () => {
    const { user, call, newest } = openCalls();

    await user.type(call(0).getByRole("textbox", { name: /^name/ }), "s");
    await user.type(call(0).getByRole("textbox", { name: "city" }), "!");
    await user.type(call(1).getByRole("textbox", { name: "city" }), "?");

    expect(newest()).toEqual({
      tool_calls: [
        { ...nested, function: { name: "forecasts", arguments: '{"city":"Oslo!","days":2}' } },
        { ...flat, input: { city: "Oslo?" } },
      ],
    });
    await user.type(call(0).getByRole("textbox", { name: /^name/ }), "{Backspace}");
    await user.type(call(0).getByRole("textbox", { name: "city" }), "{Backspace}");
    await user.type(call(1).getByRole("textbox", { name: "city" }), "{Backspace}");
    expect(newest()).toEqual(calls);
  });

  test("an offer of a tool is none", () => {
    const offer = { type: "function", function: { name: "forecast", parameters: {} } };
    open({ tools: [offer] }, {}, { tools: [offer] });

    expect(screen.getByRole("group", { name: "function" })).toBeVisible();
  });
});

test("what counts while nothing is set is shown, and is not written", async () => {
  const settings = {
    type: "object",
    properties: {
      seed: { type: "integer", default: 0 },
      company: { type: "string", default: "FlyCorp" },
      is_live: { type: "boolean", default: true },
      note: { type: "string", default: "" },
    },
  };
  const { user, newest } = open({}, settings, {});

  expect(screen.getByRole("textbox", { name: "seed" })).toHaveAttribute(
    "placeholder",
    "not set: 0",
  );
  expect(screen.getByPlaceholderText("not set: FlyCorp")).toHaveValue("");
  expect(screen.getByPlaceholderText("not set")).toHaveAccessibleName("note");
  const live = screen.getByRole("switch");
  expect(live).toBeChecked();
  expect(newest()).toEqual({});
  await user.click(live);
  expect(newest()).toEqual({ is_live: false });
});
