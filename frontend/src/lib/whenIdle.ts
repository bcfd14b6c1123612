/** Parts that nobody waits for are loaded when the page has drawn what one came for. */

/** A page that never rests has them after so long, in milliseconds. */
const LONGEST_WAIT_MS = 1000;

/** Resolves once the browser has a moment to spare; at once where it does not tell. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof window.requestIdleCallback !== "function") resolve();
    else window.requestIdleCallback(() => resolve(), { timeout: LONGEST_WAIT_MS });
  });
}
