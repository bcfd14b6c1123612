/** Whether the test dialog is open: `?test=` holds how many steps the test keeps, or `new`. */
import { useCallback } from "react";

import { useAddress } from "@/lib/useAddress";

export interface TestDialog {
  isOpen: boolean;
  /** How many leading steps are frozen; `null`: the suggested number. */
  at: number | null;
  open: (at: number | null) => void;
  close: () => void;
}

export function useTestDialog(): TestDialog {
  const [params, change] = useAddress();
  const value = params.get("test");
  const count = Number(value);
  const open = useCallback(
    (at: number | null) => change({ test: at === null ? "new" : String(at) }),
    [change],
  );
  const close = useCallback(() => change({ test: null }, { replace: true }), [change]);
  return {
    isOpen: value !== null,
    at: Number.isInteger(count) && count > 0 ? count : null,
    open,
    close,
  };
}
