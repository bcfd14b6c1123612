import { IconPlayerPause } from "@tabler/icons-react";
import { memo } from "react";

import { familyOf, kindOf, type Lane, type StepRow } from "@/features/tape-editor/editor";
import { LaneMark, LaneRails } from "@/features/tape-editor/lanes";
import { FindingBadge } from "@/features/tape-editor/lint";
import classes from "@/features/tape-editor/map/map.module.css";
import { NoteBadges } from "@/features/tape-editor/notes";
import { dollars } from "@/lib/money";
import { formatCost, formatTokens } from "@/lib/format";
import { summaryOf } from "@/lib/stepParts";
import { visibleText } from "@/lib/visibleText";
import { FamilyIcon } from "@/ui/StepKindBadge";

interface MapRowProps {
  row: StepRow;
  isSelected: boolean;
  isHighlighted: boolean;
  /** Steps of its node run that are folded below it. */
  foldedCount?: number;
  /** How many stale steps start here; only at the first of them. */
  staleCount?: number;
  /** Its lane, and those that were open with it. */
  lane: Lane | null;
  around: readonly Lane[];
  /** The run is paused at this step. */
  isPaused?: boolean;
  /** Shown in place of the first words: the text around a search match. */
  excerpt?: string | undefined;
  onSelect: (index: number) => void;
}

export const MapRow = memo(function MapRow(props: MapRowProps) {
  const {
    row,
    isSelected,
    isHighlighted,
    foldedCount = 0,
    staleCount = 0,
    isPaused = false,
  } = props;
  const { onSelect } = props;
  const { recorded, slot, isStale, index } = row;
  const summary =
    props.excerpt ?? (slot.written === null ? (recorded?.gist ?? "") : summaryOf(slot.written));
  const family = familyOf(row);
  return (
    <button
      type="button"
      className={`ts-row ${classes.row}`}
      data-family={family}
      data-stale={isStale || undefined}
      data-highlighted={isHighlighted || undefined}
      aria-current={isSelected ? "step" : undefined}
      title={titleOf(row, summary)}
      onClick={() => onSelect(index)}
    >
      <span className={`ts-caption ${classes.number}`}>{index}</span>
      <LaneRails index={index} lane={props.lane} around={props.around} />
      {props.lane !== null && (
        <LaneMark path={props.lane.path} member={props.lane.member} isShort />
      )}
      <FamilyIcon family={family} size={14} />
      <Kind kind={kindOf(row)} isShown={family === "control" || summary === ""} />
      {recorded !== null && recorded.node !== "" && (
        <span className={`ts-truncate ts-caption ${classes.node}`}>
          {visibleText(recorded.node)}
        </span>
      )}
      <span className={`ts-truncate ${classes.summary}`}>{visibleText(summary)}</span>
      {foldedCount > 0 && <span className={`ts-caption ${classes.more}`}>+{foldedCount}</span>}
      <FindingBadge row={row} />
      <NoteBadges position={slot.origin} />
      {isPaused && <PausedBadge />}
      <Badge row={row} staleCount={staleCount} />
      <Took row={row} />
    </button>
  );
});

/** Icon and words identify most steps; control steps, and those without words, show their kind. */
function Kind({ kind, isShown }: { kind: string; isShown: boolean }) {
  const name = visibleText(kind);
  if (!isShown) return <span className="ts-visually-hidden">{name}</span>;
  return <span className={`ts-truncate ts-mono ${classes.kind}`}>{name}</span>;
}

function PausedBadge() {
  return (
    <span className={`ts-row ${classes.pausedBadge}`}>
      <IconPlayerPause size={12} stroke={1.75} aria-hidden="true" />
      paused
    </span>
  );
}

interface BadgeProps {
  row: StepRow;
  staleCount: number;
}

function Badge({ row: { slot, isStale, recorded }, staleCount }: BadgeProps) {
  if (slot.written !== null) {
    return <span className={classes.edited}>{slot.origin === null ? "new" : "edited"}</span>;
  }
  // Shown once, at the first stale step; the others are dimmed.
  if (staleCount > 0) return <span className={classes.staleBadge}>{staleCount} stale</span>;
  if (isStale) return <span className="ts-visually-hidden">stale</span>;
  if (recorded?.is_error === true) return <span className={classes.errorBadge}>error</span>;
  return null;
}

/** What the step's LLM call took, at its first step; the cost only if it is known and not zero. */
function Took({ row: { recorded, isFirstOfCall } }: { row: StepRow }) {
  if (!isFirstOfCall || recorded === null) return null;
  const { output_tokens: tokens, cost_micro_usd: cost } = recorded;
  const isPriced = cost !== null && cost > 0;
  if (tokens === null && !isPriced) return null;
  return (
    <span
      className={`ts-caption ${classes.took}`}
      title="Output tokens and cost of the LLM call of this step"
    >
      {tokens !== null && formatTokens(tokens)}
      {isPriced && <span className={classes.cost}> {formatCost(dollars(cost))}</span>}
    </span>
  );
}

function titleOf(row: StepRow, summary: string): string {
  const { recorded } = row;
  const name = [recorded?.agent ?? "", recorded?.node ?? ""].filter((part) => part !== "");
  return visibleText([`${row.index} ${kindOf(row)}`, name.join("."), summary].join("\n"));
}
