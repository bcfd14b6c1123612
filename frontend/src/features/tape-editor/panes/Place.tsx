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
import {
  type FoldedLanes,
  LaneHead,
  LaneRails,
  railsWidth,
  useFoldedLanes,
} from "@/features/tape-editor/lanes";
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
  const folded = useEditor(({ unfolded }) => unfolded);
  if (row === undefined) return null;
  const step = origin === null ? undefined : steps.find(origin);
  const isSelected = index === selected;
  const isEditing = editing && model.canEdit;
  const drop = model.canEdit ? dropTarget(index, actions.move) : {};
  const lane = model.lanes.at(index);
  const begun = model.lanes.startingAt(index);
  const foldedAt = begun.findIndex(({ key }) => folded.has(key));
  const heads = (foldedAt < 0 ? begun : begun.slice(0, foldedAt + 1)).map((one, at) => (
    <LaneHead
      key={one.key}
      lane={one}
      isFolded={at === foldedAt}
      isSelected={at === foldedAt && selected !== null && model.lanes.isIn(one, selected)}
    />
  ));
  const around = model.lanes.around(index);
  const isKnown = step !== undefined || row.slot.written !== null;
  return (
    <div className={classes.beside} style={{ paddingLeft: railsWidth(around) }}>
      <LaneRails index={index} lane={lane} around={around} isTall />
      <Above model={model} lines={lines} line={line} />
      {heads}
      {foldedAt < 0 && (
        <>
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
                lane={lane?.path ?? ""}
                member={lane?.member ?? ""}
              />
            ) : (
              <WaitingCard row={row} isSelected={isSelected} />
            )}
          </div>
        </>
      )}
    </div>
  );
}

/** The part of an estimated height that is around the card. */
const EDGES = 28;

/** The end of the tape: what the draft leaves out, and what a model is writing. */
export function EndPlace({ model, lines }: { model: TapeModel; lines: Lines }) {
  const writing = useEditor(({ live }) => live.writing ?? live.cutShort);
  const beside = useEditor(({ live }) => live.beside);
  const isCutShort = useEditor(({ live }) => live.writing === null && live.cutShort !== null);
  return (
    <>
      <Above model={model} lines={lines} line={lines.length} />
      {writing !== null && <LiveCard writing={writing} isCutShort={isCutShort} />}
      {beside.map((other) => (
        <LiveCard key={other.promptId} writing={other} isCutShort={false} />
      ))}
    </>
  );
}

/** Steps between this line and the previous one that are hidden or removed. */
function Above({ model, lines, line }: Pick<StepPlaceProps, "model" | "lines" | "line">) {
  const dispatch = useEditor((editor) => editor.dispatch);
  const index = lines.at(line) ?? model.slots.length;
  const from = (lines.at(line - 1) ?? -1) + 1;
  const removed = model.steps.removedAt(index);
  const isFolded = useFoldedLanes(model.lanes);
  const hidden = findHidden(from, index, isFolded);
  return (
    <>
      {hidden.length > 0 && (
        <HiddenRow
          from={hidden[0] ?? from}
          to={hidden.at(-1) ?? index}
          count={hidden.length}
          onOpen={(first, last) => dispatch({ type: "steps.revealed", from: first, to: last })}
        />
      )}
      {removed !== null && <RemovedRow removed={removed} isCut={index === model.slots.length} />}
    </>
  );
}

/** Steps that the chosen detail hides; those of a folded lane are on its line. */
function findHidden(from: number, end: number, isFolded: FoldedLanes): number[] {
  const found: number[] = [];
  for (let at = from; at < end; at += 1) if ((isFolded?.(at) ?? null) === null) found.push(at);
  return found;
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
