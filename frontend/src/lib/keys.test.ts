import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { listKeys, listenForKeys, matchesKey, useKeys, type KeyBinding } from "@/lib/keys";

let stop: () => void;
beforeEach(() => {
  stop = listenForKeys();
});
afterEach(() => stop());

function press(key: string, target: EventTarget = document.body, init: KeyboardEventInit = {}) {
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...init }));
}

function bind(...bindings: KeyBinding[]) {
  return renderHook(() => useKeys("Test", bindings));
}

test("a single key runs its binding and stops when the screen goes", () => {
  const run = vi.fn();
  const bindings = [{ keys: "j", label: "Next", run }];
  const { unmount } = renderHook(() => useKeys("Test", bindings));

  press("j");
  expect(run).toHaveBeenCalledTimes(1);

  unmount();
  press("j");
  expect(run).toHaveBeenCalledTimes(1);
});

test("what stands in front has its keys, whatever was mounted later", () => {
  const front = vi.fn();
  const behind = vi.fn();
  const inFront = [{ keys: "Escape", label: "Leave", run: front }];
  const { unmount } = renderHook(() => useKeys("Front", inFront, { isInFront: true }));
  bind({ keys: "Escape", label: "Blur", run: behind });

  press("Escape");
  expect(front).toHaveBeenCalledTimes(1);
  expect(behind).not.toHaveBeenCalled();

  unmount();
  press("Escape");
  expect(behind).toHaveBeenCalledTimes(1);
});

test("two keys in turn make one shortcut", () => {
  const run = vi.fn();
  bind({ keys: "g t", label: "Go to tapes", run });

  press("t");
  press("g");
  press("t");

  expect(run).toHaveBeenCalledTimes(1);
});

test("keys are ignored while typing, unless the binding says otherwise", () => {
  const plain = vi.fn();
  const save = vi.fn();
  bind(
    { keys: "j", label: "Next", run: plain },
    { keys: "mod+s", label: "Save", run: save, whileTyping: true },
  );
  const input = document.body.appendChild(document.createElement("input"));

  press("j", input);
  press("s", input, { ctrlKey: true });

  expect(plain).not.toHaveBeenCalled();
  expect(save).toHaveBeenCalledTimes(1);
  input.remove();
});

test("the keys of mounted screens can be listed", () => {
  bind({ keys: "e", label: "Edit", run: vi.fn() });

  expect(listKeys()).toMatchObject([{ zone: "Test", keys: [{ keys: "e", label: "Edit" }] }]);
});

test.each([
  ["k", { key: "k", ctrlKey: true }, false],
  ["mod+k", { key: "k", metaKey: true }, true],
  ["mod+k", { key: "K", ctrlKey: true, shiftKey: true }, false],
  ["mod+shift+Enter", { key: "Enter", ctrlKey: true, shiftKey: true }, true],
  ["J", { key: "J", shiftKey: true }, true],
  ["?", { key: "?", shiftKey: true }, true],
])("%s matches %o: %s", (keys, event, expected) => {
  const full = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...event };

  expect(matchesKey(full, keys)).toBe(expected);
});
