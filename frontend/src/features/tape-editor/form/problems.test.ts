import { expect, test } from "vitest";

import { findProblems, problemsInside } from "@/features/tape-editor/form/problems";

const schema = {
  type: "object",
  required: ["content"],
  additionalProperties: false,
  properties: {
    content: { type: "string" },
    place: { type: "object", required: ["city"], properties: { city: { type: "string" } } },
    count: { type: "integer", minimum: 1 },
    note: { anyOf: [{ type: "string" }, { type: "null" }] },
    when: { type: "string", format: "date" },
  },
};

test.each([
  [{}, { "/content": "This field is required." }],
  [{ content: 5 }, { "/content": "This must be text." }],
  [{ content: "x", odd: 1 }, { "/odd": "This kind of step does not have this field." }],
  [{ content: "x", place: {} }, { "/place/city": "This field is required." }],
  [{ content: "x", note: 5 }, { "/note": "This must be text." }],
  [{ content: "x", count: 0 }, { "/count": "0 is less than 1." }],
  [{ content: "x", when: "soon" }, { "/when": 'String does not match format "date".' }],
  [{ content: "x", place: { city: "Oslo" }, when: "2026-01-31" }, {}],
])("of %j is said where it does not fit", async (value, expected) => {
  expect(Object.fromEntries(await findProblems(schema, value))).toEqual(expected);
});

test("a schema that cannot be read refuses nothing", async () => {
  const broken = { type: "object", properties: { a: { pattern: "(" } } };

  expect((await findProblems(broken, { a: "x" })).size).toBe(0);
});

test("problems inside a place name the way there", () => {
  const problems = new Map([
    ["/place/city", "This field is required."],
    ["/places", "Other."],
  ]);

  expect(problemsInside(problems, "/place")).toEqual(["city: This field is required."]);
});
