/** Where the focus goes when a dialog that is drawn only while it is open has closed. */
import { useEffect, useState } from "react";

/**
 * Give the focus back to what opened the calling dialog, unless something else has taken it.
 *
 * `otherwise` is the id of what gets it if that is gone or disabled by now.
 */
export function useFocusBack(otherwise = ""): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        const candidates = [opener, document.getElementById(otherwise)];
        for (const next of candidates) {
          if (document.activeElement !== document.body) return;
          if (next instanceof HTMLElement) next.focus({ preventScroll: true });
        }
      });
    },
    [opener, otherwise],
  );
}
