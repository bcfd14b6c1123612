/** The keys of the grid; while it is open they take precedence over those of the tape. */
import { useMemo } from "react";

import type { Branch } from "@/api/types";
import type { BranchActions } from "@/features/tape-editor/run-n/branchTable";
import { useKeys, type KeyBinding } from "@/lib/keys";

interface BranchKeysOptions {
  rows: readonly Branch[];
  active: number | null;
  setActive: (number: number) => void;
  actions: BranchActions;
  /** Keep the winner; null while there is none. */
  keep: (() => void) | null;
  onClose: () => void;
}

export function useBranchKeys(options: BranchKeysOptions): void {
  const { rows, active, setActive, actions, keep, onClose } = options;
  const bindings = useMemo((): KeyBinding[] => {
    const at = rows.findIndex(({ number }) => number === active);
    const move = (by: 1 | -1) => () => {
      const next = at === -1 ? (by === 1 ? rows.at(0) : rows.at(-1)) : rows[at + by];
      if (next !== undefined) setActive(next.number);
    };
    const onActive = (run: (branch: Branch) => void) => () => {
      const branch = rows[at];
      if (branch !== undefined) run(branch);
    };
    return [
      { keys: "j", label: "Next branch", run: move(1), isMove: true },
      { keys: "k", label: "Previous branch", run: move(-1), isMove: true },
      { keys: "Enter", label: "Open the branch", run: onActive(actions.open) },
      { keys: "x", label: "Choose the branch", run: onActive(actions.toggleChosen) },
      { keys: "p", label: "Pin the branch", run: onActive(actions.pin) },
      {
        keys: "y",
        label: "Mark as passed",
        run: onActive((branch) => actions.judge(branch, true)),
      },
      {
        keys: "n",
        label: "Mark as failed",
        run: onActive((branch) => actions.judge(branch, false)),
      },
      ...(keep === null ? [] : [{ keys: "w", label: "Keep the winner", run: keep }]),
      { keys: "d", label: "Compare the two selected", run: () => actions.compare?.() },
      {
        keys: "Escape",
        label: "Back to the tape",
        run: leave(onClose),
        isMove: true,
        whileTyping: true,
      },
    ];
  }, [rows, active, setActive, actions, keep, onClose]);
  useKeys("Run N", bindings, { isInFront: true });
}

const INNER = "[aria-modal='true'], [aria-haspopup][aria-expanded='true']";

/** A dialog, an open menu and an open list handle Escape themselves. One that is fading out is
 * closed already, and one that stays in the page invisibly does not handle it. */
function leave(onClose: () => void): () => void {
  return () => {
    const inner = [...document.querySelectorAll(INNER)];
    if (!inner.some((element) => element.checkVisibility())) onClose();
  };
}
