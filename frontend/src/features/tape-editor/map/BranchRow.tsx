/** One branch on the map: a link to its tape, which can also be dragged onto another. */
import { IconArchive, IconAlertTriangle, IconPin, IconPlayerPlay } from "@tabler/icons-react";
import { useState, type DragEvent, type MouseEvent } from "react";
import { Link } from "react-router";

import type { FamilyMember } from "@/api/types";
import { BranchMenu } from "@/features/tape-editor/map/BranchMenu";
import { labelOf, stretchesOf } from "@/features/tape-editor/map/branchColours";
import type { BranchLine } from "@/features/tape-editor/map/branches";
import { BranchTrack } from "@/features/tape-editor/map/BranchTrack";
import classes from "@/features/tape-editor/map/branchMap.module.css";
import { useFamily } from "@/features/tape-editor/map/familyContext";
import { useTapeMoves } from "@/features/tape-editor/map/useCompare";
import { countOf, formatMoment } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

const DRAGGED = "application/x-tape";

interface BranchRowProps {
  line: BranchLine;
  longest: number;
  isTabStop: boolean;
}

export function BranchRow({ line, longest, isTabStop }: BranchRowProps) {
  const { openId, members, colouring } = useFamily();
  const { addressOf, compare } = useTapeMoves(openId);
  const { member } = line;
  const parent = members.find(({ id }) => id === member.parent_id);
  const isOpen = member.id === openId;
  const drop = useDrop(member.id, compare);
  // Menus are dear: only the line that is looked at has one.
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
        title={titleOf(member)}
        tabIndex={isTabStop ? 0 : -1}
        draggable
        onDragStart={(event) => event.dataTransfer.setData(DRAGGED, member.id)}
        onClick={onClick}
      >
        <BranchTrack
          line={line}
          longest={longest}
          stretches={stretchesOf(member, line.start, colouring, members)}
        />
        <span className={`ts-truncate ${classes.label}`}>
          {visibleText(labelOf(member, parent))}
        </span>
        <Marks member={member} />
        <span className="ts-visually-hidden">{describe(line)}</span>
        <span className={`ts-caption ${classes.count}`} aria-hidden="true">
          {colouring === "score" && member.score !== null
            ? member.score.toFixed(2)
            : member.step_count}
        </span>
      </Link>
      {isNear && <BranchMenu member={member} />}
    </div>
  );
}

function Marks({ member }: { member: FamilyMember }) {
  return (
    <span className={classes.marks} aria-hidden="true">
      {member.is_active && <IconPlayerPlay size={12} color="var(--ts-accent)" />}
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

/** What others see in the line, behind its name. */
function describe({ member }: BranchLine): string {
  const parts = [
    "",
    countOf(member.step_count, "step"),
    member.forked_at === null ? null : `forked at step ${member.forked_at}`,
    member.is_pinned ? "pinned" : null,
    member.is_archived ? "archived" : null,
    member.is_active ? "running" : null,
    member.has_error ? "has errors" : null,
    member.score === null ? null : `score ${member.score.toFixed(2)}`,
  ];
  return parts.filter((part) => part !== null).join(", ");
}

function titleOf(member: FamilyMember): string {
  const title = member.title === "" ? "Untitled tape" : member.title;
  const made = formatMoment(new Date(member.created_at));
  const fork = member.forked_at === null ? "" : `, forked at step ${member.forked_at}`;
  const hint = "Shift-click, or drag onto another, to compare";
  return visibleText(
    [title, countOf(member.step_count, "step") + fork, member.agent_name, made, hint]
      .filter((part) => part !== "")
      .join("\n"),
  );
}
