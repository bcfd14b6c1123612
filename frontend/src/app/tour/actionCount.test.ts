import { expect, test } from "vitest";

import { isWriting, judgeAction, type Action, type Typing } from "@/app/tour/actionCount";

const FIELD = {};
const click: Action = { what: "click" };
const text = (field: object = FIELD): Action => ({ what: "text", field });
const press = (key: string, isRepeat = false): Action => ({
  what: "key",
  key,
  isRepeat,
  writes: false,
});
const write = (key: string): Action => ({ what: "key", key, isRepeat: false, writes: true });

function count(actions: readonly Action[]): number {
  let typing: Typing = null;
  let counted = 0;
  for (const action of actions) {
    const judged = judgeAction(action, typing);
    typing = judged.typing;
    if (judged.counts) counted += 1;
  }
  return counted;
}

test("a click, a key and a text count one each", () => {
  expect(count([click, press("e"), write("2"), text(), write("1"), text()])).toBe(3);
});

test("a combination is one key, and a held key is pressed once", () => {
  expect(count([press("Control"), press("Enter"), press("j"), press("j", true)])).toBe(2);
});

test("a text ends with another action, or in another field", () => {
  expect(count([text(), text(), press("Escape"), text()])).toBe(3);
  expect(count([text(), text({})])).toBe(2);
});

test("in a field, letters and deleting write; combinations and other keys do not", () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false };

  expect(isWriting({ ...plain, key: "a" })).toBe(true);
  expect(isWriting({ ...plain, key: "Backspace" })).toBe(true);
  expect(isWriting({ ...plain, key: "Escape" })).toBe(false);
  expect(isWriting({ ...plain, key: "a", ctrlKey: true })).toBe(false);
});
