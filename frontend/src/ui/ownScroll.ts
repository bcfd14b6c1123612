/** Detects a person's own scrolling, as opposed to movement caused by changing sizes. */
const SCROLLING_KEYS = new Set([
  "PageUp",
  "PageDown",
  "Home",
  "End",
  "ArrowUp",
  "ArrowDown",
  " ",
  "Tab",
]);

/** Call `onScroll` when a person scrolls an element, or is about to; returns a cleanup function. */
export function onOwnScroll(element: HTMLElement, onScroll: () => void): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  element.addEventListener("wheel", onScroll, { passive: true, signal });
  element.addEventListener("pointerdown", onScroll, { signal });
  // A person who types looks at the text, wherever on the line it is.
  element.addEventListener("input", onScroll, { signal });
  const onKey = ({ key, target }: KeyboardEvent) => {
    const isInside = target instanceof Node && element.contains(target);
    // Tab may come from elsewhere, and scrolls its target into view.
    if (key === "Tab" || (isInside && SCROLLING_KEYS.has(key))) onScroll();
  };
  document.addEventListener("keydown", onKey, { capture: true, signal });
  return () => leaving.abort();
}
