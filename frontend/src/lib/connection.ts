/** Whether the server answers: told by whoever talks to it, shown by the shell. */
import { create } from "zustand";

interface Connection {
  /** What lost its connection ("http", "job 1234…"), and since when. */
  lost: ReadonlyMap<string, Date>;
  isSignedOut: boolean;
  /** The person is not in the project of this page any more, or in none at all. */
  isProjectLost: boolean;
}

export const useConnection = create<Connection>(() => ({
  lost: new Map(),
  isSignedOut: false,
  isProjectLost: false,
}));

export function reportConnection(who: string, ok: boolean): void {
  const { lost } = useConnection.getState();
  if (lost.has(who) !== ok) return;
  const next = new Map(lost);
  if (ok) next.delete(who);
  else next.set(who, new Date());
  useConnection.setState({ lost: next });
}

export function reportSignedOut(): void {
  useConnection.setState({ isSignedOut: true });
}

export function reportProjectLost(): void {
  useConnection.setState({ isProjectLost: true });
}

/** When the first of them was lost; `null` while all is well. */
export function lostSince(lost: ReadonlyMap<string, Date>): Date | null {
  return [...lost.values()].reduce<Date | null>(
    (first, since) => (first === null || since < first ? since : first),
    null,
  );
}
