/** The map: the branches of the family on top, one row per step below. */
import { IconChevronRight } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useMemo, useRef } from "react";

import { useActions, useEditor, useTapeModel } from "@/features/tape-editor/editor";
import { BranchMap } from "@/features/tape-editor/map/BranchMap";
import { type Find, FindBar } from "@/features/tape-editor/map/FindBar";
import { MapRow } from "@/features/tape-editor/map/MapRow";
import classes from "@/features/tape-editor/map/map.module.css";
import { outlineRows } from "@/features/tape-editor/map/phases";
import { PhaseRow } from "@/features/tape-editor/map/PhaseRow";
import { usePhases } from "@/features/tape-editor/map/usePhases";
import { useFoldedRuns } from "@/features/tape-editor/map/useFoldedRuns";
import type { Found } from "@/features/tape-editor/map/useFind";
import { usePausedAt } from "@/features/tape-editor/run";
import { AfterPaint } from "@/ui/AfterPaint";
import { useKeepInView } from "@/ui/useKeepInView";

const ROW = 28;

interface MapPaneProps {
  selected: number | null;
  find: Find;
  /** Called when a step is chosen here: where panes are stacked, the tape comes to the front. */
  onOpen?: () => void;
}

export function MapPane(props: MapPaneProps) {
  const { selected, find, onOpen } = props;
  const { steps } = useTapeModel();
  return (
    <nav className={`ts-column ${classes.pane}`} aria-label="Steps" data-tour="map">
      <AfterPaint>
        <BranchMap />
      </AfterPaint>
      <FindBar find={find} stepCount={steps.length} selected={selected} />
      <AfterPaint>
        <Outline found={find.found} selected={selected} onOpen={onOpen} />
      </AfterPaint>
    </nav>
  );
}

type OutlineProps = Pick<MapPaneProps, "selected"> & {
  found: Found;
  onOpen: (() => void) | undefined;
};

function Outline({ found, selected, onOpen }: OutlineProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const model = useTapeModel();
  const { steps, slots, lanes } = model;
  const { lines, isFolded, toggle } = useFoldedRuns(model, found.lines, selected);
  const inPhases = usePhases(model, lines, { selected, isFinding: found.words.length > 0 });
  const { lines: shown, phases, isIn } = inPhases;
  const rows = useMemo(() => outlineRows(shown, phases, isIn), [shown, phases, isIn]);
  const { select } = useActions();
  const onSelect = useCallback(
    (index: number) => {
      select(index);
      onOpen?.();
    },
    [select, onOpen],
  );
  const pausedAt = usePausedAt();
  const highlighted = useEditor((editor) => editor.highlighted);
  const keyOf = useCallback(
    (at: number) => {
      const row = rows.at(at);
      return typeof row === "number" ? (slots[row]?.key ?? at) : (row?.key ?? at);
    },
    [rows, slots],
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: keyOf,
    estimateSize: () => ROW,
    overscan: 10,
  });
  const at = selected === null || !lines.has(selected) ? -1 : rows.rowOf(selected);
  useKeepInView({
    scroller,
    line: at,
    height: virtual.getTotalSize(),
    scrollTo: (line) => virtual.scrollToIndex(line, { align: "auto" }),
  });
  return (
    <div className={`ts-scroll ${classes.scroller}`} ref={scroller} tabIndex={-1}>
      <ol className={classes.list} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index: place, start }) => {
          const drawn = rows.at(place);
          if (typeof drawn === "object") {
            return (
              <li
                key={key}
                className={classes.item}
                style={{ transform: `translateY(${start}px)` }}
              >
                <PhaseRow
                  phase={drawn}
                  isFolded={inPhases.isFolded(drawn)}
                  isSelected={place === at}
                  onToggle={inPhases.toggle}
                />
              </li>
            );
          }
          const row = steps.at(drawn ?? -1);
          if (row === undefined) return null;
          const folded = isFolded(row.key);
          const stretch = steps.stretchAt(row.index);
          const runLength = steps.beginsRun(row.index) ? steps.runEnd(row.index) - row.index : 1;
          return (
            <li key={key} className={classes.item} style={{ transform: `translateY(${start}px)` }}>
              <MapRow
                row={row}
                isSelected={row.index === selected}
                isHighlighted={row.slot.origin !== null && highlighted.has(row.slot.origin)}
                foldedCount={folded ? runLength - 1 : 0}
                isPaused={pausedAt !== null && row.slot.origin === pausedAt}
                lane={lanes.at(row.index)}
                around={lanes.around(row.index)}
                staleCount={stretch?.kind === "stale" ? stretch.count : 0}
                excerpt={found.excerptAt(row.index)}
                onSelect={onSelect}
              />
              {runLength > 1 && <FoldButton isFolded={folded} onToggle={() => toggle(row.key)} />}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function FoldButton({ isFolded, onToggle }: { isFolded: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      className={classes.fold}
      tabIndex={-1}
      aria-expanded={!isFolded}
      aria-label="Steps of this node run"
      onClick={onToggle}
    >
      <IconChevronRight className={classes.foldIcon} size={12} aria-hidden="true" />
    </button>
  );
}
