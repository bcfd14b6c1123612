/** Which keys send what is typed: Ctrl or ⌘ with Enter always, Enter alone in a text box. */
import type { KeyboardEvent } from "react";

export function isSendKey(event: KeyboardEvent, alone: "enter" | "newline"): boolean {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return false;
  if (event.ctrlKey || event.metaKey) return true;
  return alone === "enter" && !event.shiftKey && !event.altKey;
}
