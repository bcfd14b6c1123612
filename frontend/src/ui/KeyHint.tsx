import { Fragment } from "react";

import classes from "@/ui/KeyHint.module.css";

const mac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);
const NAMES: Record<string, string> = {
  mod: mac ? "⌘" : "Ctrl",
  shift: mac ? "⇧" : "Shift",
  alt: mac ? "⌥" : "Alt",
  Enter: "Enter",
  Escape: "Esc",
  ArrowDown: "↓",
  ArrowUp: "↑",
};

/** A shortcut as key caps, written as in `lib/keys`: "mod+k", "g t". */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <span className={`ts-inline ${classes.hint}`}>
      {keys.split(" ").map((press, index) => (
        <Fragment key={index}>
          {index > 0 && <span className={`ts-caption ${classes.then}`}>then</span>}
          {press.split("+").map((key, _, { length }) => (
            <kbd key={key} className={`ts-caption ${classes.key}`}>
              {NAMES[key] ?? (length > 1 ? key.toUpperCase() : key)}
            </kbd>
          ))}
        </Fragment>
      ))}
    </span>
  );
}
