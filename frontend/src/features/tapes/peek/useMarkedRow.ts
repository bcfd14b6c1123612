/** The row that the keys move, and whether its tape is previewed next to the table: `?peek=…`. */
import { useCallback, useState } from "react";

import type { TapeRow } from "@/api/types";
import { useAddress } from "@/lib/useAddress";

export interface MarkedRow {
  id: string | null;
  /** Its tape is shown in the preview. */
  isPeeked: boolean;
  /** Moves the mark; an open preview follows. */
  mark: (id: string) => void;
  peek: (id: string) => void;
  closePeek: () => void;
}

/** `opened` is the row that was opened last, marked again on return. */
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
        // Opening the preview adds a history entry to go back to; moving on within it does not.
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

/** The marked row if the list contains it or is empty; otherwise the first row. */
export function rowToPeek(rows: readonly TapeRow[], marked: string | null): string | null {
  const isListed = rows.some(({ id }) => id === marked);
  return isListed ? marked : (rows[0]?.id ?? marked);
}
