/** Which experiment is open: `?n=` holds its id, `all` for the list, `new` for the dialog. */
import { useCallback } from "react";

import { useAddress } from "@/lib/useAddress";

export type RunNView = { kind: "closed" } | { kind: "list" } | { kind: "one"; id: string };

export interface RunN {
  view: RunNView;
  isAsking: boolean;
  /** The number of runs from the run bar. */
  count: number | null;
  open: (id: string) => void;
  openList: () => void;
  ask: () => void;
  /** Closes the dialog; what was shown before stays. */
  stopAsking: () => void;
  close: () => void;
}

export function useRunN(): RunN {
  const [params, change] = useAddress();
  const value = params.get("n");
  const behind = params.get("behind");
  const isAsking = value === "new";
  const open = useCallback((id: string) => change({ n: id, count: null, behind: null }), [change]);
  const openList = useCallback(() => open("all"), [open]);
  const ask = useCallback(
    () => change({ n: "new", behind: isAsking ? behind : value }),
    [change, isAsking, behind, value],
  );
  return {
    view: readView(isAsking ? behind : value),
    isAsking,
    count: readCount(params.get("count")),
    open,
    openList,
    ask,
    stopAsking: () => change({ n: behind, count: null, behind: null }, { replace: true }),
    close: () => change({ n: null, count: null, behind: null }),
  };
}

function readView(value: string | null): RunNView {
  if (value === null || value === "") return { kind: "closed" };
  return value === "all" ? { kind: "list" } : { kind: "one", id: value };
}

function readCount(text: string | null): number | null {
  const count = Number(text);
  return Number.isInteger(count) && count > 1 && count <= 200 ? count : null;
}
