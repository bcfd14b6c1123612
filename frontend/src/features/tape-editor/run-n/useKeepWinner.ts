/** Keeps the winner of an experiment: pins the best branch of the best fix in its family. */
import { notifications } from "@mantine/notifications";
import { useCallback, useMemo } from "react";

import type { Experiment } from "@/api/types";
import { armName, findWinner } from "@/features/tape-editor/run-n/branchTable";
import { useExperimentActions } from "@/features/tape-editor/run-n/useExperimentActions";

/** Null while no fix is the best. */
export function useKeepWinner({ row, branches, summary }: Experiment): (() => void) | null {
  const { change } = useExperimentActions(row.id);
  const { mutate } = change;
  const winner = useMemo(() => findWinner(branches, summary.best), [branches, summary.best]);
  const keep = useCallback(() => {
    if (winner === undefined) return;
    mutate({ number: winner.number, patch: { is_pinned: true } });
    const message = `Branch ${winner.number} of ${armName(winner.arm)} is pinned; it stays in the branch map.`;
    notifications.show({ message, autoClose: 6000, withBorder: true });
  }, [winner, mutate]);
  return winner === undefined ? null : keep;
}
