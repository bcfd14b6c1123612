/** Whether the server answers: reported by whatever talks to it, shown by the shell. */
import { create } from "zustand";

interface Connection {
  /** What lost its connection ("http", "job 1234…"), and since when. */
  lost: ReadonlyMap<string, Date>;
  isSignedOut: boolean;
  /** The person is no longer in this page's project, or in no project at all. */
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

/** When the first connection was lost; `null` while all are up. */
export function lostSince(lost: ReadonlyMap<string, Date>): Date | null {
  return [...lost.values()].reduce<Date | null>(
    (first, since) => (first === null || since < first ? since : first),
    null,
  );
}
