/** The steps of the tape, one line each; only those in view are drawn. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, type KeyboardEvent } from "react";

import type { Outline } from "@/api/outline";
import classes from "@/features/agent-editor/agentEditor.module.css";
import { NoteBadges } from "@/features/tape-editor/notes";
import { visualFamily } from "@/lib/families";
import { visibleText } from "@/lib/visibleText";
import { FamilyIcon } from "@/ui/StepKindBadge";

const ROW_HEIGHT = 26;

interface StepListProps {
  outline: Outline;
  selected: number | null;
  onSelect: (position: number) => void;
}

export function StepList({ outline, selected, onSelect }: StepListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: outline.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  useEffect(() => {
    if (selected !== null) virtual.scrollToIndex(selected, { align: "auto" });
  }, [selected, virtual]);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = MOVES[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onSelect(Math.min(outline.length - 1, Math.max(0, (selected ?? -1) + by)));
  };
  return (
    <div
      ref={scroller}
      className={`ts-scroll ${classes.steps}`}
      role="listbox"
      aria-label="Steps"
      tabIndex={0}
      aria-activedescendant={selected === null ? undefined : `editor-step-${selected}`}
      onKeyDown={onKeyDown}
    >
      <div className={classes.allSteps} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <StepLine
            key={index}
            outline={outline}
            position={index}
            top={start}
            isSelected={index === selected}
            onSelect={onSelect}
          />
        ))}
      </div>
    </div>
  );
}

const MOVES: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

interface StepLineProps {
  outline: Outline;
  position: number;
  top: number;
  isSelected: boolean;
  onSelect: (position: number) => void;
}

function StepLine({ outline, position, top, isSelected, onSelect }: StepLineProps) {
  const row = outline.at(position);
  return (
    // The list takes the keys.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={`editor-step-${position}`}
      className={`ts-row ${classes.step}`}
      style={{ transform: `translateY(${top}px)`, height: ROW_HEIGHT }}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      onClick={() => onSelect(position)}
    >
      <span className={`ts-number ts-caption ${classes.stepNumber}`}>{position}</span>
      {row !== undefined && (
        <>
          <FamilyIcon family={visualFamily(row.kind, row.family, row.is_error)} size={14} />
          <span className={`ts-mono ts-truncate ${classes.stepKind}`}>{visibleText(row.kind)}</span>
          <span className={`ts-truncate ts-caption ${classes.stepNode}`}>
            {visibleText(row.node)}
          </span>
          <span className={`ts-truncate ${classes.gist}`}>{visibleText(row.gist)}</span>
          <NoteBadges position={position} />
        </>
      )}
    </div>
  );
}
