import { expect, test } from "vitest";

import {
  blankValue,
  describe as describeValue,
  type Schema,
  convertToOption,
} from "@/features/tape-editor/form/schema";
import { blankStep, explainStep, convertStep } from "@/features/tape-editor/form/stepJson";

const root: Schema = {
  type: "object",
  required: ["content"],
  properties: {
    content: { type: "string", description: "What to look for" },
    source: { enum: ["web", "wiki"], type: "string" },
    count: { anyOf: [{ type: "integer" }, { type: "null" }], default: null },
    place: { $ref: "#/$defs/Place" },
    tags: { type: "array", items: { type: "string" } },
    when: { type: "string", format: "date" },
  },
  additionalProperties: false,
  $defs: { Place: { type: "object", properties: { city: { type: "string" } } } },
};

function shapeOf(schema: Schema, value: unknown) {
  return describeValue(root, schema, value).shape;
}

function fieldsOf(schema: Schema, value: unknown) {
  const shape = shapeOf(schema, value);
  return shape.type === "object" ? shape.fields : [];
}

test("the fields of a form follow the schema in its order, then what the value holds besides", () => {
  const fields = fieldsOf(root, { content: "x", odd: 1 });

  expect(fields.map(({ name, isRequired }) => [name, isRequired])).toEqual([
    ["content", true],
    ["source", false],
    ["count", false],
    ["place", false],
    ["tags", false],
    ["when", false],
    ["odd", false],
  ]);
});

test.each<[string, unknown, string]>([
  ["content", "x", "text"],
  ["source", "web", "choice"],
  ["count", 2, "number"],
  ["count", null, "number"],
  ["place", { city: "Oslo" }, "object"],
  ["tags", ["a"], "list"],
  ["when", "2026-01-01", "text"],
])("the field %s holding %j is drawn as %s", (name, value, type) => {
  const field = fieldsOf(root, {}).find((one) => one.name === name);

  expect(shapeOf(field?.schema ?? {}, value).type).toBe(type);
});

test("a value that does not fit its schema is drawn as what it is, not lost", () => {
  expect(shapeOf({ type: "string" }, { odd: true }).type).toBe("object");
  expect(shapeOf({ enum: ["a"] }, [1]).type).toBe("list");
  expect(shapeOf({}, null).type).toBe("json");
});

test("null may be where the schema says so", () => {
  const nullable = { anyOf: [{ type: "string" }, { type: "null" }] };

  expect(describeValue(root, nullable, "x")).toMatchObject({
    isNullable: true,
    shape: { type: "text" },
  });
  expect(describeValue(root, { type: ["integer", "null"] }, 1)).toMatchObject({
    isNullable: true,
    shape: { type: "number", isInteger: true },
  });
  expect(describeValue(root, { type: "string" }, "x").isNullable).toBe(false);
});

const union: Schema = {
  oneOf: [
    {
      title: "Circle",
      type: "object",
      required: ["kind", "radius"],
      properties: {
        kind: { const: "circle" },
        radius: { type: "number" },
        name: { type: "string" },
      },
    },
    {
      title: "Square",
      type: "object",
      required: ["kind", "side"],
      properties: { kind: { const: "square" }, side: { type: "number" }, name: { type: "string" } },
    },
  ],
};

test("a union is drawn as the option that the value is of", () => {
  expect(shapeOf(union, { kind: "square", side: 2 })).toMatchObject({ type: "union", chosen: 1 });
  expect(shapeOf(union, { kind: "circle", radius: 2 })).toMatchObject({ type: "union", chosen: 0 });
  expect(shapeOf(union, { kind: "blob" })).toMatchObject({ type: "union", chosen: -1 });
  expect(shapeOf({ anyOf: [{ type: "string" }, { type: "integer" }] }, 3)).toMatchObject({
    chosen: 1,
  });
});

test("another option of a union keeps what both have", () => {
  const shape = shapeOf(union, { kind: "circle", radius: 2, name: "moon" });
  const square = shape.type === "union" ? shape.options[1] : undefined;

  expect(
    square && convertToOption(root, square, { kind: "circle", radius: 2, name: "moon" }),
  ).toEqual({
    kind: "square",
    side: 0,
    name: "moon",
  });
});

test("references lead to the same schema object each time, and in circles to an end", () => {
  const circular: Schema = { $defs: { Node: { $ref: "#/$defs/Node" } } };
  const place = fieldsOf(root, {}).find(({ name }) => name === "place")?.schema ?? {};

  expect(fieldsOf(place, { city: "x" })[0]?.schema).toBe(fieldsOf(place, { city: "y" })[0]?.schema);
  expect(describeValue(circular, { $ref: "#/$defs/Node" }, "x").shape.type).toBe("text");
});

test("a new step begins with its required fields", () => {
  expect(blankStep("search", root)).toEqual({ kind: "search", content: "" });
  expect(blankValue(root, { type: "integer", minimum: 3 })).toBe(3);
  expect(blankValue(root, { anyOf: [{ type: "string" }, { type: "null" }] })).toBeNull();
});

test("a step taken as another class of its kind keeps what both have", () => {
  const other: Schema = {
    required: ["calls"],
    properties: { calls: { type: "array" }, content: {} },
  };

  expect(
    convertStep({ kind: "k", content: "c", gone: 1, metadata: { agent: "a" } }, other),
  ).toEqual({
    kind: "k",
    calls: [],
    content: "c",
    metadata: { agent: "a" },
  });
});

test.each([
  [[], /JSON object/],
  [{ content: "x" }, /needs a "kind"/],
  [{ kind: "k".repeat(101) }, /at most 100 characters/],
  [{ kind: "user" }, /^$/],
])("of %j is said what is wrong", (value, sentence) => {
  expect(explainStep(value)).toMatch(sentence);
});
