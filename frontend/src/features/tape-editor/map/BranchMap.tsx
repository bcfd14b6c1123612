/** The tapes of this family: the shared prefix once, each branch from where it forks. */
import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import { IconChevronDown, IconChevronRight, IconPalette } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";

import { describeError } from "@/api/client";
import { BranchRow } from "@/features/tape-editor/map/BranchRow";
import { BranchTrack } from "@/features/tape-editor/map/BranchTrack";
import { type Colouring, COLOURINGS } from "@/features/tape-editor/map/branchColours";
import type { ExperimentLine, FoldedLine } from "@/features/tape-editor/map/branches";
import classes from "@/features/tape-editor/map/branchMap.module.css";
import { useFamily } from "@/features/tape-editor/map/familyContext";
import { ForkChevrons } from "@/features/tape-editor/map/ForkChevrons";
import { useTapeMoves } from "@/features/tape-editor/map/useCompare";
import { usePausedAt } from "@/features/tape-editor/run";
import { countOf } from "@/lib/format";
import { StaleNotice } from "@/ui/States";

const ROW = 24;

export function BranchMap() {
  const { members, count, error, retry, openId } = useFamily();
  if (error !== null) {
    return (
      <StaleNotice
        message={`The branches could not be loaded. ${describeError(error)}`}
        onRetry={retry}
      />
    );
  }
  if (members.length < 2) return null;
  const open = members.find(({ id }) => id === openId);
  return (
    <section className={classes.map} aria-label="Branches" data-tour="branches">
      <header className={`ts-row ts-caption ${classes.head}`}>
        <span>
          {countOf(count, "branch", "branches")}
          {members.length < count && `, ${members.length} shown`}
        </span>
        <ForkChevrons position={open?.forked_at ?? null} />
        <ColourMenu />
      </header>
      <Lines />
    </section>
  );
}

const WORDS: Record<Colouring, string> = {
  kind: "Kind of step",
  agent: "Agent",
  score: "Score",
};

function ColourMenu() {
  const { colouring, setColouring } = useFamily();
  return (
    <Menu position="bottom-end" width={160} withinPortal>
      <Menu.Target>
        <Tooltip label={`Colored by ${WORDS[colouring].toLowerCase()}`}>
          <ActionIcon size={20} aria-label="Color branches by">
            <IconPalette size={14} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Color by</Menu.Label>
        <Menu.RadioGroup
          value={colouring}
          onChange={(value) => setColouring(COLOURINGS.find((one) => one === value) ?? "kind")}
        >
          {COLOURINGS.map((name) => (
            <Menu.RadioItem key={name} value={name}>
              {WORDS[name]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Only the visible lines are drawn: a family may have hundreds. */
function Lines() {
  const { lines, members, openId } = useFamily();
  const pausedAt = usePausedAt();
  const scroller = useRef<HTMLUListElement>(null);
  const openAt = lines.findIndex(({ key }) => key === openId);
  const { focused, onKeyDown, onFocus } = useArrows(lines.length, openAt, scroller);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: 4,
  });
  useEffect(() => {
    if (focused >= 0) virtual.scrollToIndex(focused, { align: "auto" });
  }, [focused, virtual]);
  const longest = Math.max(1, ...members.map((member) => member.step_count));
  return (
    // The links inside take the focus; the list only listens for the arrow keys.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul
      ref={scroller}
      className={classes.lines}
      style={{ height: Math.min(lines.length, 7) * ROW }}
      onKeyDown={onKeyDown}
      tabIndex={-1}
    >
      <li aria-hidden="true" role="presentation" style={{ height: virtual.getTotalSize() }} />
      {virtual.getVirtualItems().map(({ key, index, start }) => {
        const line = lines[index];
        if (line === undefined) return null;
        return (
          <li
            key={key}
            className={classes.place}
            data-line={index}
            style={{ transform: `translateY(${start}px)` }}
            onFocus={() => onFocus(index)}
          >
            {line.type === "branch" ? (
              <BranchRow
                line={line}
                longest={longest}
                isTabStop={index === focused}
                pausedAt={line.key === openId ? pausedAt : null}
              />
            ) : (
              <Folded line={line} longest={longest} isTabStop={index === focused} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Up and down move between lines; Shift Enter compares a line with the open tape. */
function useArrows(
  count: number,
  openAt: number,
  scroller: React.RefObject<HTMLUListElement | null>,
) {
  const { lines, openId } = useFamily();
  const { compare } = useTapeMoves(openId);
  const [chosen, setChosen] = useState<number | null>(null);
  const focused = Math.min(chosen ?? openAt, count - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const line = lines[focused];
    if (event.key === "Enter" && event.shiftKey && line?.type === "branch") {
      event.preventDefault();
      compare(openId, line.member.id);
    }
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(count - 1, focused + by));
    setChosen(next);
    const place = scroller.current?.querySelector(`[data-line="${next}"]`);
    place?.querySelector<HTMLElement>("a, button")?.focus();
  };
  return { focused, onKeyDown, onFocus: setChosen };
}

interface FoldedProps {
  line: FoldedLine | ExperimentLine;
  longest: number;
  isTabStop: boolean;
}

/** Several branches on one line that unfolds: those of an experiment, or older ones. */
function Folded({ line, longest, isTabStop }: FoldedProps) {
  const { toggleFold } = useFamily();
  return (
    <button
      type="button"
      className={`ts-row ${classes.folded}`}
      aria-expanded={line.isOpen}
      tabIndex={isTabStop ? 0 : -1}
      onClick={() => toggleFold(line.foldKey)}
    >
      <BranchTrack line={line} longest={longest} stretches={NOTHING} />
      <span className={`ts-truncate ${classes.label}`}>
        {line.type === "experiment" ? <ExperimentWords line={line} /> : foldedWords(line)}
      </span>
      <span className={classes.marks} />
      <span className={classes.outcome} />
      <span className={`ts-caption ${classes.count}`}>
        {line.type === "experiment" && line.count}
      </span>
    </button>
  );
}

function foldedWords({ isOpen, count }: FoldedLine): string {
  return isOpen ? "Show fewer" : `${count} more`;
}

function ExperimentWords({ line }: { line: ExperimentLine }) {
  const { isOpen, count, passed, judged } = line;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  const summary =
    judged === 0 ? countOf(count, "branch", "branches") : `${passed} of ${judged} pass`;
  return (
    <>
      <Chevron className={classes.chevron} size={12} aria-hidden="true" />
      Run N · {summary}
    </>
  );
}

const NOTHING: readonly never[] = [];
