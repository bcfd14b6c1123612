/** Messages to an agent that are being written, kept in this browser until they are sent. */

/** `reply`: the answer to a run's question. `steer`: a message for its next turn. */
export type Kept = "reply" | "steer";

export function loadKept(kind: Kept, tapeId: string): string {
  try {
    return window.localStorage.getItem(keyOf(kind, tapeId)) ?? "";
  } catch {
    return "";
  }
}

export function keep(kind: Kept, tapeId: string, text: string): void {
  try {
    if (text === "") window.localStorage.removeItem(keyOf(kind, tapeId));
    else window.localStorage.setItem(keyOf(kind, tapeId), text);
  } catch {
    // Without storage, a reload loses what was not sent.
  }
}

function keyOf(kind: Kept, tapeId: string): string {
  return `studio.${kind}.${tapeId}`;
}
