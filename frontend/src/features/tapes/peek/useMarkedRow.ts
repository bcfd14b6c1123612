/** The row that the keys move, and whether its tape is shown beside the table: `?peek=…`. */
import { useCallback, useState } from "react";

import type { TapeRow } from "@/api/types";
import { useAddress } from "@/lib/useAddress";

export interface MarkedRow {
  id: string | null;
  /** Its tape is shown at a glance. */
  isPeeked: boolean;
  /** Moves the mark; what is shown beside the table follows. */
  mark: (id: string) => void;
  peek: (id: string) => void;
  closePeek: () => void;
}

/** `opened` is the row to which one comes back. */
export function useMarkedRow(opened: string): MarkedRow {
  const [params, change] = useAddress();
  const peeked = params.get("peek");
  const [marked, setMarked] = useState<string | null>(opened === "" ? null : opened);
  const isPeeked = peeked !== null;
  return {
    id: peeked ?? marked,
    isPeeked,
    mark: useCallback(
      (id) => {
        setMarked(id);
        if (isPeeked) change({ peek: id }, { replace: true });
      },
      [isPeeked, change],
    ),
    peek: useCallback(
      (id) => {
        setMarked(id);
        // Opening it is a place of its own, to which one goes back; walking on in it is not.
        change({ peek: id }, { replace: isPeeked });
      },
      [isPeeked, change],
    ),
    closePeek: useCallback(() => {
      setMarked(peeked);
      change({ peek: null }, { replace: true });
    }, [peeked, change]),
  };
}

/** The marked row where the list has it, or is not here yet; otherwise the first. */
export function rowToPeek(rows: readonly TapeRow[], marked: string | null): string | null {
  const isListed = rows.some(({ id }) => id === marked);
  return isListed ? marked : (rows[0]?.id ?? marked);
}
