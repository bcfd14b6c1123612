/** Keyboard shortcuts: one listener, and zones that come and go with the screens that own them. */
import { useId, useLayoutEffect, useMemo, useRef } from "react";

export interface KeyBinding {
  /** "j", "J", "?", "Escape", "Space", "mod+k", "mod+shift+Enter", "alt+ArrowUp", or two keys: "g t". */
  keys: string;
  label: string;
  run: () => void;
  /** Only moves or leaves, so it is not offered in the palette. */
  isMove?: boolean;
  /** Also works while the person types in a field; for combinations with ⌘ or Ctrl. */
  whileTyping?: boolean;
}

interface Zone {
  name: string;
  bindings: readonly KeyBinding[];
  isInFront: boolean;
  isBehind: boolean;
}

interface ZoneOptions {
  /** The zone is in front of the rest of the screen: its keys win, whatever was mounted first. */
  isInFront?: boolean;
  /** Its keys apply when nothing else on the screen has them, whatever was mounted first. */
  isBehind?: boolean;
}

/** Between two keys of a sequence, by when they were pressed: a busy page handles them later. */
const SEQUENCE_MS = 2000;
const zones = new Map<string, Zone>();
let pending: { key: string; at: number } | null = null;

/** Bind keys while the calling component is mounted. A later zone wins over an earlier one. */
export function useKeys(
  name: string,
  bindings: readonly KeyBinding[],
  { isInFront = false, isBehind = false }: ZoneOptions = {},
): void {
  const id = useId();
  // Before paint: a person who sees the component may press its keys.
  useLayoutEffect(() => {
    zones.set(id, { name, bindings, isInFront, isBehind });
  }, [id, name, bindings, isInFront, isBehind]);
  useLayoutEffect(
    () => () => {
      zones.delete(id);
    },
    [id],
  );
}

/**
 * Stands in for a part of the screen that is drawn a moment later: keys that are pressed early run
 * once the part is there, unless the person has gone elsewhere.
 */
export function useKeysAhead(name: string, keysAhead: readonly Omit<KeyBinding, "run">[]): void {
  const pressed = useRef<{ keys: string; address: string } | null>(null);
  const bindings = useMemo(
    () =>
      keysAhead.map((ahead) => {
        const run = () => {
          pressed.current = { keys: ahead.keys, address: window.location.pathname };
        };
        return { ...ahead, run };
      }),
    [keysAhead],
  );
  useKeys(name, bindings);
  useLayoutEffect(
    () => () => {
      const { current } = pressed;
      if (current === null) return;
      // The part that replaces it binds its keys in the same commit, after this cleanup.
      queueMicrotask(() => {
        if (current.address === window.location.pathname) findNamed(current.keys)?.run();
      });
    },
    [],
  );
}

export function listKeys(): { zone: string; keys: KeyBinding[] }[] {
  const byName = new Map<string, KeyBinding[]>();
  for (const { name, bindings } of zones.values()) {
    byName.set(name, [...(byName.get(name) ?? []), ...bindings]);
  }
  return [...byName].map(([zone, keys]) => ({ zone, keys }));
}

/** Start listening; returns a function that stops it. */
export function listenForKeys(target: Document = document): () => void {
  let isOfPopup = false;
  // In the capture phase: a list that closes itself on the key is gone when the key bubbles up
  // here.
  const onCapture = ({ key }: KeyboardEvent) => {
    isOfPopup = key === "Escape" && hasOpenPopup();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOfPopup) handleKey(event);
  };
  target.addEventListener("keydown", onCapture, { capture: true });
  target.addEventListener("keydown", onKeyDown);
  return () => {
    target.removeEventListener("keydown", onCapture, { capture: true });
    target.removeEventListener("keydown", onKeyDown);
  };
}

/** Whether a menu, a list of choices or a popover is open: Escape then closes only that. */
export function hasOpenPopup(within: ParentNode = document): boolean {
  // A field with a list sets only the second attribute.
  return (
    within.querySelector("[aria-haspopup]:is([aria-expanded='true'], [data-expanded])") !== null
  );
}

function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || belongsToControl(event)) return;
  const binding = findBinding(event, listUsable(event), event.timeStamp);
  const run = binding?.run ?? sendOfForm(event);
  if (run === null) return;
  event.preventDefault();
  run();
}

/** Ctrl or ⌘ with Enter sends the form one is in, if its button can be pressed. */
function sendOfForm(event: KeyboardEvent): (() => void) | null {
  if (!matchesKey(event, "mod+Enter") || !(event.target instanceof Element)) return null;
  const button = event.target.closest("form")?.querySelector("[type='submit']");
  return button instanceof HTMLElement ? () => button.click() : null;
}

/** The bindings that a key may mean now: behind a dialog, the page has none. */
function listUsable(event: KeyboardEvent): KeyBinding[] {
  const isBehindDialog = document.querySelector("[aria-modal='true']") !== null;
  const isOff = isBehindDialog || isTyping(event.target, hasModifier(event));
  const inReach = isBehindDialog ? listZones().filter(({ isInFront }) => isInFront) : listZones();
  return inReach
    .flatMap(({ bindings }) => bindings)
    .filter((binding) => !isOff || binding.whileTyping === true);
}

/** All zones, in order of precedence. */
function listZones(): Zone[] {
  const later = [...zones.values()].reverse();
  return [
    ...later.filter(({ isInFront }) => isInFront),
    ...later.filter(({ isInFront, isBehind }) => !isInFront && !isBehind),
    ...later.filter(({ isInFront, isBehind }) => !isInFront && isBehind),
  ];
}

function findNamed(keys: string): KeyBinding | undefined {
  return listZones()
    .flatMap(({ bindings }) => bindings)
    .find((binding) => binding.keys === keys);
}

function findBinding(
  event: KeyboardEvent,
  usable: readonly KeyBinding[],
  now: number,
): KeyBinding | null {
  const first = pending !== null && now - pending.at < SEQUENCE_MS ? pending.key : null;
  pending = null;
  if (first !== null) {
    const second = usable.find(({ keys }) => keys === `${first} ${event.key}`);
    if (second !== undefined) return second;
  }
  const single = usable.find(({ keys }) => !keys.includes(" ") && matchesKey(event, keys));
  if (single !== undefined) return single;
  if (usable.some(({ keys }) => keys.startsWith(`${event.key} `)) && !hasModifier(event)) {
    pending = { key: event.key, at: now };
  }
  return null;
}

/** `shift` is compared only together with `mod`: "J" and "?" already imply it. */
export function matchesKey(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">,
  keys: string,
): boolean {
  const parts = keys === "+" ? ["+"] : keys.split("+");
  const name = parts.at(-1) ?? "";
  const key = name === "Space" ? " " : name;
  const mod = parts.includes("mod");
  if (event.altKey !== parts.includes("alt")) return false;
  if (mod !== (event.ctrlKey || event.metaKey)) return false;
  if (!mod) {
    if (parts.includes("shift") && !event.shiftKey) return false;
    if (key.length > 1 && !parts.includes("shift") && event.shiftKey) return false;
    return event.key === key;
  }
  return (
    event.key.toLowerCase() === key.toLowerCase() && event.shiftKey === parts.includes("shift")
  );
}

function hasModifier(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}

const OWN_KEYS: Readonly<Record<string, string>> = {
  Enter: "a,button,summary",
  " ": "a,button,summary,input",
};

/** Enter and Space belong to a focused button, link or check box; other keys are shortcuts. */
function belongsToControl(event: KeyboardEvent): boolean {
  const owners = OWN_KEYS[event.key];
  if (owners === undefined || hasModifier(event)) return false;
  return event.target instanceof Element && event.target.closest(owners) !== null;
}

/** A field that only shows a choice has no use for combinations, such as Ctrl+Z. */
function isTyping(target: EventTarget | null, isCombination: boolean): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest("[role='menu'],[role='listbox']") !== null) {
    return true;
  }
  if (target instanceof HTMLInputElement) {
    const isChoice = target.readOnly || target.getAttribute("aria-haspopup") === "listbox";
    if (isCombination && isChoice) return false;
    return !["checkbox", "radio"].includes(target.type);
  }
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
