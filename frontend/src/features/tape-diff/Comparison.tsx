/** Two tapes aligned by content: used by the diff page and inside the editor. */
import { IconEqual } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState, type ReactNode } from "react";
import { useNavigate } from "react-router";

import { describeError, wayBack } from "@/api/client";
import { buildOutline } from "@/api/outline";
import { diffQuery } from "@/api/tapes";
import type { TapeDiff } from "@/api/types";
import { useOutline } from "@/api/useOutline";
import { ChangeSteps } from "@/features/tape-diff/ChangeSteps";
import { DiffDeltas } from "@/features/tape-diff/DiffDeltas";
import { DiffList } from "@/features/tape-diff/DiffList";
import { countChanges, listLines } from "@/features/tape-diff/diffLines";
import classes from "@/features/tape-diff/diff.module.css";
import { Sides } from "@/features/tape-diff/Sides";
import { UnifiedButton } from "@/ui/fields/UnifiedButton";
import { useUnified, type Unified } from "@/ui/fields/useUnified";
import { countOf } from "@/lib/format";
import { useKeys } from "@/lib/keys";
import { useAddress } from "@/lib/useAddress";
import { EmptyState, ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

interface ComparisonProps {
  leftId: string;
  rightId: string;
  /** The address with the sides swapped. */
  swapped: string;
  /** Draws the head, given a note with the number of changes and the buttons to step through. */
  head: (note: ReactNode, buttons: ReactNode) => ReactNode;
}

export function Comparison(props: ComparisonProps) {
  const { leftId, rightId, head } = props;
  const diff = useQuery(diffQuery(leftId, rightId));
  if (diff.data === undefined) {
    return (
      <div className={`ts-column ${classes.page}`}>
        {head(null, null)}
        {diff.isError ? (
          <ErrorState
            title="The tapes could not be compared"
            message={describeError(diff.error)}
            back={wayBack(diff.error, "/tapes", "tapes")}
            onRetry={() => void diff.refetch()}
          />
        ) : (
          <RowsSkeleton rows={16} label="Comparing the tapes" />
        )}
      </div>
    );
  }
  return (
    <>
      {diff.isError && (
        <StaleNotice message={describeError(diff.error)} onRetry={() => void diff.refetch()} />
      )}
      <Compared key={`${leftId} ${rightId}`} {...props} diff={diff.data} />
    </>
  );
}

function Compared({ diff, swapped, head }: ComparisonProps & { diff: TapeDiff }) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const left = useUnfolded(diff.left, opened.size > 0);
  const right = useUnfolded(diff.right, opened.size > 0);
  const lines = useMemo(
    () => listLines(diff.rows, opened, { left, right }),
    [diff.rows, opened, left, right],
  );
  const changeCount = diff.rows.filter(({ op }) => op !== "equal").length;
  const { change, goTo } = useChange(changeCount);
  const unified = useUnified();
  useDiffKeys(swapped, change, goTo, unified);
  const onToggle = (key: string) => {
    const next = new Set(opened);
    if (!next.delete(key)) next.add(key);
    setOpened(next);
  };
  return (
    <div className={`ts-column ${classes.page}`}>
      {head(
        <Counts diff={diff} />,
        <>
          <ChangeSteps change={change} count={changeCount} onGo={goTo} />
          <UnifiedButton {...unified} />
        </>,
      )}
      <Sides diff={diff} swapped={swapped} />
      <DiffDeltas left={diff.left} right={diff.right} />
      {changeCount === 0 ? (
        <EmptyState title="The tapes are identical" icon={<IconEqual size={24} stroke={1.5} />}>
          All {countOf(diff.left.step_count, "step")} are the same
          {diff.rows.length > 1 &&
            ", but agents that were called together went on in another order"}
          .
        </EmptyState>
      ) : (
        <DiffList diff={diff} lines={lines} change={change} unified={unified} onToggle={onToggle} />
      )}
    </div>
  );
}

/** The steps of one side, loaded when equal steps are unfolded. */
function useUnfolded({ id, step_count: count }: TapeDiff["left"], isWanted: boolean) {
  const { pages } = useOutline(id, isWanted ? count : 0);
  return useMemo(() => buildOutline(count, pages), [count, pages]);
}

/** The current change, in the address; other query parameters are kept. */
function useChange(count: number) {
  const [params, changeAddress] = useAddress();
  const text = params.get("change");
  const change =
    text === null || !/^\d+$/.test(text) || count === 0 ? null : Math.min(Number(text), count - 1);
  const goTo = (next: number) => {
    if (next >= 0 && next < count) changeAddress({ change: String(next) }, { replace: true });
  };
  return { change, goTo };
}

function useDiffKeys(
  swapped: string,
  change: number | null,
  goTo: (change: number) => void,
  { isUnified, isNarrow, toggle }: Unified,
): void {
  const navigate = useNavigate();
  useKeys("Diff", [
    {
      keys: "n",
      label: "Next change",
      run: () => goTo(change === null ? 0 : change + 1),
      isMove: true,
    },
    {
      keys: "p",
      label: "Previous change",
      run: () => goTo(change === null ? 0 : change - 1),
      isMove: true,
    },
    {
      keys: "u",
      label: isUnified ? "Show side by side" : "Show unified",
      run: () => {
        if (!isNarrow) toggle();
      },
    },
    { keys: "x", label: "Swap sides", run: () => void navigate(swapped) },
  ]);
}

function Counts({ diff }: { diff: TapeDiff }) {
  const counts = Object.entries(countChanges(diff.rows)).filter(([, count]) => count > 0);
  return <span>{counts.map(([op, count]) => `${count} ${op}`).join(", ")}</span>;
}
