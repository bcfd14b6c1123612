import { act, render, renderHook, screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import {
  listKeys,
  listenForKeys,
  matchesKey,
  useKeys,
  useKeysAhead,
  type KeyBinding,
} from "@/lib/keys";

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

test("what stands behind has a key only where nothing else does, though it was mounted last", () => {
  const other = vi.fn();
  const behind = vi.fn();
  const { unmount } = bind({ keys: "p", label: "Previous change", run: other });
  const last = [{ keys: "p", label: "Pin", run: behind }];
  renderHook(() => useKeys("Behind", last, { isBehind: true }));

  press("p");
  expect(other).toHaveBeenCalledTimes(1);
  expect(behind).not.toHaveBeenCalled();

  unmount();
  press("p");
  expect(behind).toHaveBeenCalledTimes(1);
});

test("a field that shows a choice leaves combinations to the page, and keeps letters", () => {
  const undo = vi.fn();
  const next = vi.fn();
  bind({ keys: "mod+z", label: "Undo", run: undo }, { keys: "j", label: "Next", run: next });
  const { container } = render(createElement("input", { "aria-haspopup": "listbox" }));
  const field = container.querySelector("input") ?? document.body;

  press("z", field, { ctrlKey: true });
  press("j", field);

  expect(undo).toHaveBeenCalledTimes(1);
  expect(next).not.toHaveBeenCalled();
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

test("behind an open dialog no key of the screen works, not even one that works in fields", () => {
  const behind = vi.fn();
  const inFront = vi.fn();
  const Screen = () => {
    useKeys("Screen", [{ keys: "mod+Enter", label: "Run", run: behind, whileTyping: true }]);
    return createElement("div", { role: "dialog", "aria-modal": true });
  };
  const Dialog = () => {
    const keys = [{ keys: "Escape", label: "Leave", run: inFront, whileTyping: true }];
    useKeys("Dialog", keys, { isInFront: true });
    return null;
  };
  render(createElement("div", null, createElement(Screen), createElement(Dialog)));

  press("Enter", document.body, { ctrlKey: true });
  press("Escape");

  expect(behind).not.toHaveBeenCalled();
  expect(inFront).toHaveBeenCalledTimes(1);
});

test.each([
  ["it can be pressed", false, 1],
  ["it cannot be pressed", true, 0],
])("Ctrl and Enter send the form one writes in, if %s", (_, isDisabled, count) => {
  const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
  const field = createElement("textarea", { "aria-label": "Text" });
  const button = createElement("button", { type: "submit", disabled: isDisabled }, "Send");
  render(createElement("form", { onSubmit }, field, button));

  press("Enter", screen.getByRole("textbox", { name: "Text" }), { ctrlKey: true });

  expect(onSubmit).toHaveBeenCalledTimes(count);
});

test("where the screen has a use for Ctrl and Enter, a form is not sent by them", () => {
  const [onSubmit, run] = [vi.fn(), vi.fn()];
  const field = createElement("textarea", { "aria-label": "Text" });
  render(createElement("form", { onSubmit }, field, createElement("button", { type: "submit" })));
  bind({ keys: "mod+Enter", label: "Resume", run, whileTyping: true });

  press("Enter", screen.getByRole("textbox", { name: "Text" }), { ctrlKey: true });

  expect(run).toHaveBeenCalledTimes(1);
  expect(onSubmit).not.toHaveBeenCalled();
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

test("Escape is of the menu that is open, which closes itself, and then of the screen", () => {
  const leave = vi.fn();
  bind({ keys: "Escape", label: "Leave", run: leave });
  const opener = document.createElement("button");
  opener.setAttribute("aria-haspopup", "menu");
  opener.setAttribute("aria-expanded", "true");
  opener.addEventListener("keydown", () => opener.setAttribute("aria-expanded", "false"));
  document.body.append(opener);

  press("Escape", opener);
  expect(leave).not.toHaveBeenCalled();

  press("Escape", opener);
  expect(leave).toHaveBeenCalledTimes(1);
  opener.remove();
});

const AHEAD = [{ keys: "mod+Enter", label: "Start" }];

/** A screen whose bar comes a moment after the rest of it. */
function drawBarLater(run: () => void) {
  const bindings = [{ keys: "mod+Enter", label: "Start", run, whileTyping: true }];
  const Place = () => (useKeysAhead("Screen", AHEAD), null);
  const Bar = () => (useKeys("Screen", bindings), null);
  const { rerender } = render(createElement(Place));
  return async () => {
    act(() => {
      rerender(createElement(Bar));
    });
    await Promise.resolve();
  };
}

test("a key of what is still to be drawn is done, once, as soon as it is there", async () => {
  const run = vi.fn();
  const draw = drawBarLater(run);

  press("Enter", document.body, { ctrlKey: true });
  expect(run).not.toHaveBeenCalled();
  await draw();

  expect(run).toHaveBeenCalledTimes(1);
});

test("a key pressed before is forgotten by who goes elsewhere", async () => {
  const run = vi.fn();
  const draw = drawBarLater(run);

  press("Enter", document.body, { ctrlKey: true });
  window.history.pushState(null, "", "/elsewhere");
  await draw();

  expect(run).not.toHaveBeenCalled();
  window.history.back();
});
