/** One place of the list: a card with what is above it, or the end of the tape. */
import {
  dropTarget,
  HiddenRow,
  LiveCard,
  NodeRunHeader,
  RemovedRow,
  StepCard,
  StretchLine,
  WaitingCard,
} from "@/features/tape-editor/cards";
import {
  type StepRow,
  type Steps,
  type TapeModel,
  useActions,
  useEditor,
} from "@/features/tape-editor/editor";
import type { Lines } from "@/features/tape-editor/map";
import classes from "@/features/tape-editor/panes/panes.module.css";
import type { TapeSteps } from "@/features/tape-editor/panes/useTapeSteps";

interface StepPlaceProps {
  model: TapeModel;
  lines: Lines;
  line: number;
  list: { estimate: (line: number) => number; limit: number | undefined };
  steps: TapeSteps;
  selected: number | null;
  /** The recorded position of the step that the run is paused at. */
  pausedAt: number | null;
}

export function StepPlace({ model, lines, line, list, steps, selected, pausedAt }: StepPlaceProps) {
  const index = lines.at(line) ?? 0;
  const from = (lines.at(line - 1) ?? -1) + 1;
  const actions = useActions();
  const row = model.steps.at(index);
  const editing = useEditor((editor) => editor.editing !== null && editor.editing === row?.key);
  const origin = row?.slot.origin ?? null;
  const isHighlighted = useEditor(({ highlighted }) => origin !== null && highlighted.has(origin));
  if (row === undefined) return null;
  const step = origin === null ? undefined : steps.find(origin);
  const isSelected = index === selected;
  const isEditing = editing && model.canEdit;
  const drop = model.canEdit ? dropTarget(index, actions.move) : {};
  const isKnown = step !== undefined || row.slot.written !== null;
  return (
    <>
      <Above model={model} lines={lines} line={line} />
      <StretchAbove steps={model.steps} index={index} from={from} />
      <Header steps={model.steps} row={row} from={from} />
      <div
        {...drop}
        className={classes.card}
        data-limited={list.limit !== undefined || undefined}
        style={{
          // A card that is still loading takes the height that it will probably need.
          minHeight: isKnown ? undefined : list.estimate(line) - EDGES,
          maxHeight: isSelected || isEditing ? undefined : list.limit,
        }}
      >
        {isKnown ? (
          <StepCard
            row={row}
            step={step}
            isSelected={isSelected}
            isEditing={isEditing}
            isHighlighted={isHighlighted}
            isPaused={origin !== null && origin === pausedAt}
            canEdit={model.canEdit}
          />
        ) : (
          <WaitingCard row={row} isSelected={isSelected} />
        )}
      </div>
    </>
  );
}

/** The part of an estimated height that is around the card. */
const EDGES = 28;

/** The end of the tape: what the draft leaves out, and what a model is writing. */
export function EndPlace({ model, lines }: { model: TapeModel; lines: Lines }) {
  const writing = useEditor(({ live }) => live.writing ?? live.cutShort);
  const isCutShort = useEditor(({ live }) => live.writing === null && live.cutShort !== null);
  return (
    <>
      <Above model={model} lines={lines} line={lines.length} />
      {writing !== null && <LiveCard writing={writing} isCutShort={isCutShort} />}
    </>
  );
}

/** Steps between this line and the previous one that are hidden or removed. */
function Above({ model, lines, line }: Pick<StepPlaceProps, "model" | "lines" | "line">) {
  const dispatch = useEditor((editor) => editor.dispatch);
  const index = lines.at(line) ?? model.slots.length;
  const from = (lines.at(line - 1) ?? -1) + 1;
  const removed = model.steps.removedAt(index);
  return (
    <>
      {from < index && (
        <HiddenRow
          from={from}
          to={index - 1}
          onOpen={(first, last) => dispatch({ type: "steps.revealed", from: first, to: last })}
        />
      )}
      {removed !== null && <RemovedRow removed={removed} isCut={index === model.slots.length} />}
    </>
  );
}

/** The line of the stretch that starts here, or at a hidden step right above. */
function StretchAbove({ steps, index, from }: { steps: Steps; index: number; from: number }) {
  for (let start = index; start >= from; start -= 1) {
    const stretch = steps.stretchAt(start);
    if (stretch !== null) return <StretchLine stretch={stretch} />;
  }
  return null;
}

/** The header of a step's node run, if this is the first step of it that is shown. */
function Header({ steps, row, from }: { steps: Steps; row: StepRow; from: number }) {
  let start = row.index;
  while (row.isInRun && start > from && !steps.beginsRun(start)) start -= 1;
  const run = row.isInRun ? steps.runAt(start) : null;
  return run === null ? null : <NodeRunHeader run={run} />;
}
