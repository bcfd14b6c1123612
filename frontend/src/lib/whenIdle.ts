/** Parts that nobody waits for load after the page has drawn its main content. */

/** A page that is never idle loads them after this time, in milliseconds. */
const LONGEST_WAIT_MS = 1000;

/** Resolves once the browser is idle, or immediately if it does not support that. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof window.requestIdleCallback !== "function") resolve();
    else window.requestIdleCallback(() => resolve(), { timeout: LONGEST_WAIT_MS });
  });
}
