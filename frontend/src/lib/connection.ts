/** Whether the server answers: told by whoever talks to it, shown by the shell. */
import { create } from "zustand";

interface Connection {
  /** Names of what lost its connection: "http", "job 1234…". */
  lost: ReadonlySet<string>;
  isSignedOut: boolean;
}

export const useConnection = create<Connection>(() => ({ lost: new Set(), isSignedOut: false }));

export function reportConnection(who: string, ok: boolean): void {
  const { lost } = useConnection.getState();
  if (lost.has(who) !== ok) return;
  const next = new Set(lost);
  if (ok) next.delete(who);
  else next.add(who);
  useConnection.setState({ lost: next });
}

export function reportSignedOut(): void {
  useConnection.setState({ isSignedOut: true });
}
