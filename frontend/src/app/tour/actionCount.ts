/** What counts as one action of a person: a click, a key, or a text typed into one field. */

export type Action =
  | { what: "click" }
  /** `writes`: the key writes in a field, and is part of a text. */
  | { what: "key"; key: string; isRepeat: boolean; writes: boolean }
  | { what: "text"; field: object };

/** The field of the text that is being typed; `null` after any other action. */
export type Typing = object | null;

/** Whether an action counts, and what is being typed after it. */
export function judgeAction(action: Action, typing: Typing): { counts: boolean; typing: Typing } {
  switch (action.what) {
    case "click":
      return { counts: true, typing: null };
    case "text":
      return { counts: action.field !== typing, typing: action.field };
    case "key":
      if (action.writes || action.isRepeat || MODIFIERS.has(action.key))
        return { counts: false, typing };
      return { counts: true, typing: null };
  }
}

const MODIFIERS: ReadonlySet<string> = new Set(["Alt", "AltGraph", "Control", "Meta", "Shift"]);
const WRITING: ReadonlySet<string> = new Set(["Backspace", "Delete", "Dead", "Process"]);

/** Whether a key, pressed in a text field, writes. */
export function isWriting(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  return event.key.length === 1 || WRITING.has(event.key);
}
