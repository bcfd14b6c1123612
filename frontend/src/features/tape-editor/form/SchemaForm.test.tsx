import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";

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

function open(start: JsonObject = before) {
  const changes: JsonObject[] = [start];
  function Form() {
    const [value, setValue] = useState(start);
    return (
      <SchemaForm
        schema={schema}
        value={value}
        before={before}
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
