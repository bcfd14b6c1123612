/** The grid: one row per branch, grouped by result, operated by mouse or keyboard. */
import { useCallback, useMemo, useState } from "react";
import { useNavigate } from "react-router";

import type { Experiment } from "@/api/types";
import { BranchTable } from "@/features/tape-editor/run-n/BranchTable";
import {
  type BranchActions,
  groupBranches,
  type Grouping,
  type Sort,
  sortBranches,
} from "@/features/tape-editor/run-n/branchTable";
import { GridTools } from "@/features/tape-editor/run-n/GridTools";
import { useBranchKeys } from "@/features/tape-editor/run-n/useBranchKeys";
import { useExperimentActions } from "@/features/tape-editor/run-n/useExperimentActions";
import type { RunN } from "@/features/tape-editor/run-n/useRunN";
import { useNow } from "@/ui/Quantities";

interface ExperimentGridProps {
  experiment: Experiment;
  runN: RunN;
  keep: (() => void) | null;
}

export function ExperimentGrid({ experiment, runN, keep }: ExperimentGridProps) {
  const [sort, setSort] = useState<Sort>({ key: "number", isDescending: false });
  const [grouping, setGrouping] = useState<Grouping>("outcome");
  const [active, setActive] = useState<number | null>(null);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const now = useNow(1000);
  const groups = useMemo(
    () => groupBranches(sortBranches(experiment.branches, sort, now), grouping),
    [experiment.branches, sort, now, grouping],
  );
  const rows = useMemo(() => groups.flatMap(({ branches }) => branches), [groups]);
  const actions = useBranchActions(experiment, chosen, setChosen);
  useBranchKeys({ rows, active, setActive, actions, keep, onClose: runN.close });

  return (
    <>
      <GridTools
        experiment={experiment}
        chosen={chosen}
        grouping={grouping}
        onGrouping={setGrouping}
        onCompare={actions.compare}
      />
      <BranchTable
        experiment={experiment}
        groups={groups}
        sort={sort}
        onSort={setSort}
        active={active}
        onActive={setActive}
        chosen={chosen}
        actions={actions}
        now={now}
      />
    </>
  );
}

const PAIR = 2;

function useBranchActions(
  experiment: Experiment,
  chosen: readonly number[],
  setChosen: (next: (before: readonly number[]) => readonly number[]) => void,
): BranchActions {
  const navigate = useNavigate();
  const { change } = useExperimentActions(experiment.row.id);
  const { mutate } = change;
  const pair = chosen.flatMap(
    (number) => experiment.branches.find((branch) => branch.number === number)?.tape_id ?? [],
  );
  const [left, right] = pair;
  const compare = useCallback(() => {
    if (left !== undefined && right !== undefined) void navigate(`/t/${left}/diff/${right}`);
  }, [left, right, navigate]);
  return useMemo(
    () => ({
      open: ({ tape_id: tapeId, kept_count: kept, step_count: added }) =>
        void navigate(`/t/${tapeId}?step=${Math.max(0, kept + Math.min(added, 1) - 1)}`),
      toggleChosen: ({ number }) =>
        // The last two that were chosen are compared.
        setChosen((before) =>
          before.includes(number)
            ? before.filter((other) => other !== number)
            : [...before.slice(1 - PAIR), number],
        ),
      pin: ({ number, is_pinned: isPinned }) => mutate({ number, patch: { is_pinned: !isPinned } }),
      judge: ({ number, passed, judged_as: by }, wanted) =>
        mutate({
          number,
          patch: { passed: passed === wanted && by === "person" ? null : wanted },
        }),
      compare: pair.length === PAIR ? compare : null,
    }),
    [navigate, mutate, setChosen, compare, pair.length],
  );
}
