/** One branch on the map: a link to its tape, which can also be dragged onto another. */
import {
  IconArchive,
  IconAlertTriangle,
  IconCheck,
  IconPin,
  IconPlayerPause,
  IconPlayerPlay,
  IconX,
} from "@tabler/icons-react";
import { useState, type DragEvent, type MouseEvent } from "react";
import { Link } from "react-router";

import type { FamilyMember } from "@/api/types";
import { BranchLabel } from "@/features/tape-editor/map/BranchLabel";
import { BranchMenu } from "@/features/tape-editor/map/BranchMenu";
import { stretchesOf } from "@/features/tape-editor/map/branchColours";
import type { BranchLine } from "@/features/tape-editor/map/branches";
import { BranchTrack } from "@/features/tape-editor/map/BranchTrack";
import classes from "@/features/tape-editor/map/branchMap.module.css";
import { useFamily } from "@/features/tape-editor/map/familyContext";
import { useTapeMoves } from "@/features/tape-editor/map/useCompare";
import { countOf, formatMoment } from "@/lib/format";
import { OUTCOME_WORDS } from "@/lib/outcomes";
import { visibleText } from "@/lib/visibleText";

const DRAGGED = "application/x-tape";

interface BranchRowProps {
  line: BranchLine;
  longest: number;
  isTabStop: boolean;
  /** The step that the run is paused at, if this is the open tape. */
  pausedAt: number | null;
}

export function BranchRow({ line, longest, isTabStop, pausedAt }: BranchRowProps) {
  const { openId, members, names, colouring } = useFamily();
  const { addressOf, compare } = useTapeMoves(openId);
  const { member } = line;
  const isOpen = member.id === openId;
  const drop = useDrop(member.id, compare);
  // Menus are expensive: only the line under the pointer or with the focus has one.
  const [isNear, setNear] = useState(false);
  const onClick = (event: MouseEvent) => {
    if (!event.shiftKey) return;
    event.preventDefault();
    compare(openId, member.id);
  };
  return (
    <div
      className={classes.line}
      data-open={isOpen || undefined}
      data-archived={member.is_archived || undefined}
      data-target={drop.isTarget || undefined}
      onPointerEnter={() => setNear(true)}
      onPointerLeave={() => setNear(false)}
      onFocus={() => setNear(true)}
      onBlur={() => setNear(false)}
      {...drop.handlers}
    >
      <Link
        to={addressOf(member.id)}
        className={`ts-row ${classes.link}`}
        aria-current={isOpen ? "page" : undefined}
        title={titleOf(member, names.get(member.id)?.label ?? "")}
        tabIndex={isTabStop ? 0 : -1}
        draggable
        onDragStart={(event) => event.dataTransfer.setData(DRAGGED, member.id)}
        onClick={onClick}
      >
        <BranchTrack
          line={line}
          longest={longest}
          stretches={stretchesOf(member, line.start, colouring, members)}
          pausedAt={pausedAt}
        />
        <span className={`ts-truncate ${classes.label}`}>
          <BranchLabel member={member} />
        </span>
        <Marks member={member} isPaused={pausedAt !== null} />
        <Outcome member={member} />
        <span className="ts-visually-hidden">{describe(line, pausedAt)}</span>
        <span className={`ts-caption ${classes.count}`} aria-hidden="true">
          {scoreWords(member) ?? member.step_count}
        </span>
      </Link>
      {isNear && <BranchMenu member={member} />}
    </div>
  );
}

function Outcome({ member: { outcome } }: { member: FamilyMember }) {
  return (
    <span className={classes.outcome} aria-hidden="true">
      {outcome === "pass" && <IconCheck size={12} color="var(--ts-good)" />}
      {outcome === "fail" && <IconX size={12} color="var(--ts-bad)" />}
    </span>
  );
}

function Marks({ member, isPaused }: { member: FamilyMember; isPaused: boolean }) {
  const Running = isPaused ? IconPlayerPause : IconPlayerPlay;
  return (
    <span className={classes.marks} aria-hidden="true">
      {(isPaused || member.is_active) && <Running size={12} color="var(--ts-accent)" />}
      {member.has_error && <IconAlertTriangle size={12} color="var(--ts-bad)" />}
      {member.is_pinned && <IconPin size={12} />}
      {member.is_archived && <IconArchive size={12} />}
    </span>
  );
}

function useDrop(id: string, compare: (one: string, other: string) => void) {
  const [isTarget, setTarget] = useState(false);
  return {
    isTarget,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!event.dataTransfer.types.includes(DRAGGED)) return;
        event.preventDefault();
        setTarget(true);
      },
      onDragLeave: () => setTarget(false),
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        setTarget(false);
        compare(event.dataTransfer.getData(DRAGGED), id);
      },
    },
  };
}

/** The score, unless the outcome implies it. */
function scoreWords({ outcome, score }: FamilyMember): string | null {
  if (score === null || (outcome === "pass" && score === 1)) return null;
  return outcome === "fail" && score === 0 ? null : score.toFixed(2);
}

/** What sighted people see in the line, read out after its name. */
function describe({ member }: BranchLine, pausedAt: number | null): string {
  const run = pausedAt === null ? "running" : `paused at step ${pausedAt}`;
  const parts = [
    "",
    countOf(member.step_count, "step"),
    member.forked_at === null ? null : `forked at step ${member.forked_at}`,
    member.outcome === "" ? null : OUTCOME_WORDS[member.outcome].toLowerCase(),
    member.is_pinned ? "pinned" : null,
    member.is_archived ? "archived" : null,
    pausedAt !== null || member.is_active ? run : null,
    member.has_error ? "has errors" : null,
    member.score === null ? null : `score ${member.score.toFixed(2)}`,
  ];
  return parts.filter((part) => part !== null).join(", ");
}

function titleOf(member: FamilyMember, label: string): string {
  const title = member.title === "" ? "Untitled tape" : member.title;
  const made = formatMoment(new Date(member.created_at));
  const fork = member.forked_at === null ? "" : `, forked at step ${member.forked_at}`;
  const hint = "Shift-click, or drag onto another, to compare";
  return visibleText(
    [
      label,
      member.branch?.words ?? "",
      title,
      countOf(member.step_count, "step") + fork,
      member.agent_name,
      member.models.join(", "),
      made,
      hint,
    ]
      .filter((part) => part !== "")
      .join("\n"),
  );
}
