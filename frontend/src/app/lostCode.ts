/** Which errors say that a page's code could not be loaded: the server is gone, or was updated. */

const lost = new WeakSet<Error>();

/** Remembers them. Browsers word them differently; Vite announces each, style sheets included. */
export function listenForLostCode(): void {
  window.addEventListener("vite:preloadError", ({ payload }) => lost.add(payload));
}

export function isLostCode(error: unknown): error is Error {
  return error instanceof Error && lost.has(error);
}

const KEY = "ts-reloaded-for";

/** Whether this page was already reloaded for the same missing file, with the server up. */
export function wasReloadedFor(error: Error): boolean {
  return window.sessionStorage.getItem(KEY) === error.message;
}

export function reloadFor(error: Error): void {
  window.sessionStorage.setItem(KEY, error.message);
  window.location.reload();
}
