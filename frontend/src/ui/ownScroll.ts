/** A person's own scrolling, apart from what moves because sizes change. */
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

/** Calls back when a person scrolls an element, or is about to; returns what ends that. */
export function onOwnScroll(element: HTMLElement, onScroll: () => void): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  element.addEventListener("wheel", onScroll, { passive: true, signal });
  element.addEventListener("pointerdown", onScroll, { signal });
  // Who types looks at the words, wherever in the line they are.
  element.addEventListener("input", onScroll, { signal });
  const onKey = ({ key, target }: KeyboardEvent) => {
    const isInside = target instanceof Node && element.contains(target);
    // Tab may come from elsewhere, and brings into sight what it reaches.
    if (key === "Tab" || (isInside && SCROLLING_KEYS.has(key))) onScroll();
  };
  document.addEventListener("keydown", onKey, { capture: true, signal });
  return () => leaving.abort();
}
