import { expect, test } from "vitest";

import { joinPointer, valueAt, withValueAt } from "@/features/tape-editor/form/pointers";

const step = { kind: "k", list: [1, 2, 3], inner: { "a/b": { "~": 1 } } };

test("a value inside a step is replaced, and everything beside it stays the same object", () => {
  const changed = withValueAt(step, "/inner/a~1b/~0", 2, undefined);

  expect(changed).toEqual({ ...step, inner: { "a/b": { "~": 2 } } });
  expect(valueAt(changed, "/list")).toBe(step.list);
});

test("undefined takes a key or an item out", () => {
  expect(withValueAt(step, "/list/1", undefined, undefined)).toEqual({ ...step, list: [1, 3] });
  expect(valueAt(withValueAt(step, "/inner/a~1b", undefined, undefined), "/inner")).toEqual({});
});

test("names of prototypes are names like others", () => {
  expect(valueAt({}, joinPointer("", "constructor"))).toBeUndefined();
  expect(withValueAt({}, "/__proto__", 1, undefined)).not.toHaveProperty("polluted");
});

const call = (text: string) => ({ function: { name: "add", arguments: text } });

test("arguments that are JSON text stay text", () => {
  const changed = withValueAt(call('{"a": 1}'), "/function/arguments/a", 2, call('{"a": 1}'));
  const whole = withValueAt(call('{"a": 1}'), "/function/arguments", { b: 1 }, undefined);

  expect(changed).toEqual(call('{"a":2}'));
  expect(whole).toEqual(call('{"b":1}'));
});

test("arguments that mean what was recorded read as recorded", () => {
  const before = call('{ "a": 1 }');

  const changed = withValueAt(before, "/function/arguments/a", 2, before);

  expect(withValueAt(changed, "/function/arguments/a", 1, before)).toEqual(before);
  expect(withValueAt(changed, "/function/arguments", { a: 1 }, before)).toEqual(before);
});
