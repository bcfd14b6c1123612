/** The lines of a diff; only the lines in view are drawn. */
import { useMergedRef } from "@mantine/hooks";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useRef } from "react";

import type { TapeDiff } from "@/api/types";
import { ChangeView } from "@/features/tape-diff/ChangeView";
import { foldKey, type DiffLine } from "@/features/tape-diff/diffLines";
import classes from "@/features/tape-diff/diff.module.css";
import { StepLine } from "@/features/tape-diff/StepLine";
import type { Unified } from "@/ui/fields/useUnified";
import { Columns } from "@/ui/fields/Columns";
import { countOf } from "@/lib/format";

interface DiffListProps {
  diff: TapeDiff;
  lines: readonly DiffLine[];
  change: number | null;
  unified: Unified;
  onToggle: (key: string) => void;
}

const FOLD = 40;
const EQUAL = 32;
const CHANGE = 160;

export function DiffList({ diff, lines, change, unified, onToggle }: DiffListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const place = useMergedRef(scroller, unified.measure);
  const { isUnified } = unified;
  const keyOf = useCallback((index: number) => lines[index]?.key ?? index, [lines]);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    getItemKey: keyOf,
    estimateSize: (index) => estimate(lines[index]),
    overscan: 5,
    paddingStart: 8,
    scrollPaddingStart: 48,
    paddingEnd: 16,
  });
  const at =
    change === null
      ? -1
      : lines.findIndex((line) => line.type === "change" && line.number === change);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: "start" });
  }, [at, virtual]);

  return (
    <div
      className={`ts-scroll ${classes.scroller}`}
      ref={place}
      tabIndex={-1}
      aria-label="Steps compared"
    >
      <ol className={classes.sheet} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            className={classes.place}
            style={{ transform: `translateY(${start}px)` }}
          >
            <LineView
              line={lines[index]}
              diff={diff}
              isUnified={isUnified}
              isCurrent={index === at}
              onToggle={onToggle}
            />
          </li>
        ))}
      </ol>
    </div>
  );
}

function estimate(line: DiffLine | undefined): number {
  if (line === undefined) return FOLD;
  return { fold: FOLD, equal: EQUAL, change: CHANGE }[line.type];
}

interface LineViewProps {
  line: DiffLine | undefined;
  diff: TapeDiff;
  isUnified: boolean;
  isCurrent: boolean;
  onToggle: (key: string) => void;
}

function LineView({ line, diff, isUnified, isCurrent, onToggle }: LineViewProps) {
  switch (line?.type) {
    case undefined:
      return null;
    case "fold":
      return (
        <button
          type="button"
          className={classes.fold}
          aria-expanded={line.isOpen}
          onClick={() => onToggle(foldKey(line))}
        >
          ═ {countOf(line.count, "identical step")}
        </button>
      );
    case "equal":
      return (
        <Columns isUnified={isUnified}>
          <StepLine tapeId={diff.left.id} row={line.left} />
          {!isUnified && <StepLine tapeId={diff.right.id} row={line.right} />}
        </Columns>
      );
    case "change":
      return <ChangeView diff={diff} line={line} isUnified={isUnified} isCurrent={isCurrent} />;
  }
}
