/** One step as a card: its kind, its content, and what can be done with it. */
import { Skeleton } from "@mantine/core";
import { memo, type ReactNode, useMemo, useState } from "react";

import { LARGEST_EDITED, useFullStep } from "@/api/useFullStep";
import type { StepData } from "@/api/types";
import { listAnswerMarks } from "@/features/tape-editor/cards/answeredBy";
import { BeforeChip } from "@/features/tape-editor/cards/BeforeChip";
import { DragHandle } from "@/features/tape-editor/cards/DragHandle";
import type { StepJson } from "@/features/tape-editor/draft";
import { StepActions } from "@/features/tape-editor/cards/StepActions";
import { StepBody } from "@/features/tape-editor/cards/StepBody";
import classes from "@/features/tape-editor/cards/cards.module.css";
import { isSameJson } from "@/lib/json";
import {
  familyOf,
  kindOf,
  rawKey,
  type StepRow,
  useActions,
  useEditor,
  useTapeModel,
} from "@/features/tape-editor/editor";
import { readRevision, RevisionWords } from "@/features/tape-editor/improving";
import { JoinWords, LaneMark } from "@/features/tape-editor/lanes";
import { FindingBadge, FindingLines } from "@/features/tape-editor/lint";
import { ForkChevrons } from "@/features/tape-editor/map";
import { NoteBadges, NoteMarks } from "@/features/tape-editor/notes";
import { StepForm } from "@/features/tape-editor/form";
import { partsOf } from "@/lib/stepParts";
import { prettyJson } from "@/lib/valueShapes";
import { CodeBlock } from "@/ui/parts/CodeBlock";
import { CutNotice } from "@/ui/parts/CutNotice";
import { useFold } from "@/ui/parts/folds";
import { FamilyIcon } from "@/ui/StepKindBadge";
import { visibleText } from "@/lib/visibleText";

interface StepCardProps {
  row: StepRow;
  step: StepData | undefined;
  isSelected: boolean;
  isEditing: boolean;
  isHighlighted: boolean;
  /** The run is paused at this step. */
  isPaused: boolean;
  canEdit: boolean;
  /** Of agents that were called together; empty: none of them. */
  lane?: string;
  member?: string;
}

export const StepCard = memo(function StepCard(props: StepCardProps) {
  return hasCut(props.step) ? <LargeCard {...props} step={props.step} /> : <Card {...props} />;
});

type CutStep = StepData & { cut: NonNullable<StepData["cut"]> };

function hasCut(step: StepData | undefined): step is CutStep {
  return (step?.cut ?? null) !== null;
}

/** A step of which the page got only the beginning: no editing or copying until all is loaded. */
function LargeCard(props: StepCardProps & { step: CutStep }) {
  const { row, step, isEditing } = props;
  const { tape } = useTapeModel();
  const [isOpen, onToggle] = useFold(`${row.slot.key}#whole`);
  const whole = useFullStep(tape.id, step, {
    isOpen: isOpen || (isEditing && step.cut.size <= LARGEST_EDITED),
    onShowAll: onToggle,
  });
  // A step that the draft wrote is complete.
  const notice = row.slot.written === null || isEditing ? whole.notice : null;
  return (
    <Card
      {...props}
      step={whole.step}
      {...(notice === null ? {} : { notice: <CutNotice {...notice} /> })}
      isTooLarge={step.cut.size > LARGEST_EDITED}
    />
  );
}

interface CardProps extends StepCardProps {
  /** Shown when only the beginning of the step is here. */
  notice?: ReactNode;
  /** Too large to edit here, even when it is loaded completely. */
  isTooLarge?: boolean;
}

function Card({ notice, isTooLarge = false, ...props }: CardProps) {
  const { row, step, isSelected, isEditing, canEdit, lane = "" } = props;
  const actions = useActions();
  // Tooltips and menus are expensive: only the card under the pointer or with the focus has them.
  const [isNear, setNear] = useState(false);
  const isRaw = useEditor(({ unfolded }) => unfolded.has(rawKey(row)));
  const family = familyOf(row);
  const body = row.slot.written ?? step?.body;
  // Bodies may arrive before the outline does.
  const kind = kindOf(row, body);
  const quiet = useMemo(
    () => (family === "control" && !isRaw && body !== undefined ? quietLine(body) : null),
    [family, isRaw, body],
  );
  const isQuiet = quiet !== null && !isEditing;
  return (
    // The kind is a button that chooses the step; the card around it is a larger target for it.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <article
      className={`ts-panel ${classes.card}`}
      aria-label={`Step ${row.index}, ${kind}`}
      aria-current={isSelected || undefined}
      data-stale={row.isStale || undefined}
      data-run={row.isInRun || undefined}
      data-highlighted={props.isHighlighted || undefined}
      data-family={family}
      data-step={row.index}
      data-quiet={isQuiet || undefined}
      onClick={() => !isSelected && actions.select(row.index)}
      onPointerEnter={() => setNear(true)}
      onPointerLeave={() => setNear(false)}
      onFocus={() => setNear(true)}
      onBlur={() => setNear(false)}
    >
      <header className={`ts-row ${classes.head}`}>
        <FamilyIcon family={family} />
        <button
          type="button"
          className={`ts-truncate ts-mono ${classes.kind}`}
          onClick={() => actions.select(row.index)}
        >
          {visibleText(kind)}
        </button>
        <span className="ts-hint" title={placeOf(row)}>
          {row.index}
        </span>
        {lane !== "" && <LaneMark path={lane} member={props.member} />}
        {canEdit && (isSelected || isNear) && <DragHandle index={row.index} />}
        <ForkChevrons position={row.slot.origin} />
        {isQuiet && (
          <span className={`ts-truncate ts-hint ${classes.quiet}`}>{visibleText(quiet)}</span>
        )}
        <Badges row={row} isPaused={props.isPaused} body={body} />
        <BeforeChip position={row.slot.origin} />
        <FindingBadge row={row} />
        <NoteBadges position={row.slot.origin} />
        <NoteMarks position={row.slot.origin} />
        {(isSelected || isNear) && (
          <StepActions
            {...{ row, canEdit, isEditing, isRaw }}
            body={notice === undefined ? body : undefined}
          />
        )}
      </header>
      {isSelected && <FindingLines row={row} />}
      {isEditing && body !== undefined && notice === undefined && !isTooLarge ? (
        <StepForm row={row} body={body} recorded={step} />
      ) : (
        !isQuiet && <CardBody row={row} step={step} isRaw={isRaw} />
      )}
      {isEditing && (isTooLarge || notice !== undefined) && <NotEdited isTooLarge={isTooLarge} />}
      {notice}
    </article>
  );
}

function NotEdited({ isTooLarge }: { isTooLarge: boolean }) {
  return (
    <p className={classes.nothing} role="status">
      {isTooLarge
        ? "This step is too large to edit here. Delete it, or insert another one next to it."
        : "The step is still loading. You can edit it once all of it is here."}
    </p>
  );
}

interface CardBodyProps {
  row: StepRow;
  step: StepData | undefined;
  isRaw: boolean;
}

function CardBody({ row, step, isRaw }: CardBodyProps) {
  const body = row.slot.written ?? step?.body;
  if (body === undefined) {
    return (
      <div className={`ts-stack ${classes.body}`} role="status" aria-label="Loading the step">
        <Skeleton height={10} width="80%" />
        <Skeleton height={10} width="60%" mt={8} />
      </div>
    );
  }
  if (isRaw) return <RawBody row={row} body={body} />;
  if (kindOf(row, body) === "join") return <JoinWords index={row.index} body={body} />;
  const revision = readRevision(body);
  if (revision !== null) {
    const origin = row.slot.written === null ? row.slot.origin : null;
    return <RevisionWords revision={revision} origin={origin} />;
  }
  return <StepBody slot={row.slot.key} body={body} changed={changedFields(row, step)} />;
}

function RawBody({ row, body }: { row: StepRow; body: StepJson }) {
  const text = useMemo(() => prettyJson(body), [body]);
  return (
    <div
      className={`ts-stack ${classes.body}`}
      role="region"
      aria-label={`Step ${row.index} as JSON`}
    >
      <CodeBlock slot={`${rawKey(row)}.text`} text={text} language="json" startsOpen />
    </div>
  );
}

/** A control step on one line: `next_node reflect`; `null` when it holds more than that. */
function quietLine(body: StepJson): string | null {
  const parts = partsOf(body);
  if (parts.length > 1 || (parts[0] !== undefined && parts[0].type !== "values")) return null;
  return parts
    .flatMap((part) => (part.type === "values" ? part.pairs : []))
    .map(({ name, value }) => `${name} ${value}`)
    .join(", ");
}

/** Where a step was recorded, if other steps have shifted it since. */
function placeOf({ slot: { origin }, index }: StepRow): string {
  return origin === null || origin === index ? `Step ${index}` : `Step ${index}, was ${origin}`;
}

interface BadgesProps extends Pick<StepCardProps, "row" | "isPaused"> {
  body: StepJson | undefined;
}

function Badges({ row: { slot, recorded }, isPaused, body }: BadgesProps) {
  return (
    <span className={classes.badges}>
      {isPaused && <span data-tone="accent">paused here</span>}
      {recorded?.is_error === true && <span data-tone="bad">error</span>}
      {listAnswerMarks(body).map(({ label, title, tone }) => (
        <span key={label} data-tone={tone} title={title}>
          {label}
        </span>
      ))}
      {slot.written !== null && (
        <span data-tone="accent">{slot.origin === null ? "inserted" : "edited"}</span>
      )}
    </span>
  );
}

const NONE: ReadonlySet<string> = new Set();

function changedFields(row: StepRow, step: StepData | undefined): ReadonlySet<string> {
  const { written } = row.slot;
  if (written === null || step === undefined) return NONE;
  return new Set(
    Object.keys(written).filter((name) => !isSameJson(written[name], step.body[name])),
  );
}
