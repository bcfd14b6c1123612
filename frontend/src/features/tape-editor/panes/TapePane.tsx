/** The tape itself: any number of cards, of which only those in view are drawn. */
import { Button } from "@mantine/core";
import { IconArrowDown, IconTimeline } from "@tabler/icons-react";
import { useRef } from "react";

import { describeError } from "@/api/client";
import { TapeTools, ToolsPlace } from "@/features/tape-editor/cards";
import { type TapeModel, useEditor, useTapeModel } from "@/features/tape-editor/editor";
import { Announcer } from "@/features/tape-editor/panes/Announcer";
import classes from "@/features/tape-editor/panes/panes.module.css";
import { EndPlace, StepPlace } from "@/features/tape-editor/panes/Place";
import { useCardList } from "@/features/tape-editor/panes/useCardList";
import { useFollowedEnd, usePinnedToEnd } from "@/features/tape-editor/panes/usePinnedToEnd";
import { useShownLines } from "@/features/tape-editor/panes/useShownLines";
import type { Lines } from "@/features/tape-editor/map";
import { usePausedAt } from "@/features/tape-editor/run";
import { useTapeSteps } from "@/features/tape-editor/panes/useTapeSteps";
import { countOf } from "@/lib/format";
import { AfterPaint, useFirstPaint } from "@/ui/AfterPaint";
import { EmptyState, StaleNotice } from "@/ui/States";

interface TapePaneProps {
  selected: number | null;
  /** A field of that step, named by a link; empty for none. */
  field: string;
}

export function TapePane({ selected, field }: TapePaneProps) {
  const model = useTapeModel();
  const isWriting = useEditor(({ live }) => (live.writing ?? live.cutShort) !== null);
  if (model.slots.length === 0 && model.outline.length === 0 && !isWriting)
    return <NothingYet isRunning={model.isRunning} />;
  return <Cards model={model} selected={selected} field={field} isWriting={isWriting} />;
}

interface CardsProps extends TapePaneProps {
  model: TapeModel;
  /** A model is writing, or was cut short: one more card at the end. */
  isWriting: boolean;
}

function Cards({ model, selected, field, isWriting }: CardsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useShownLines(model, selected);
  const count = model.slots.length;
  const hasEnd =
    isWriting || lines.at(lines.length - 1) !== count - 1 || model.steps.removedAt(count) !== null;
  const isGrowing = model.isRunning;
  const hasChosen = selected !== null;
  const startCount = useEditor(({ live }) => live.startCount);
  const pin = usePinnedToEnd({ scroller, isGrowing, count, hasChosen, startCount });
  const { isFollowing } = pin;
  const list = useCardList({
    scroller,
    model,
    lines,
    hasEnd,
    selected,
    field,
    isFollowing,
    onBrought: pin.onBrought,
  });
  useFollowedEnd({ scroller, isGrowing, isFollowing, count, height: list.height });
  const steps = useTapeSteps({
    tapeId: model.tape.id,
    recordedCount: model.recordedCount,
    positions: originsOf(model, lines, list.items),
  });
  const pausedAt = usePausedAt();
  useFirstPaint(steps.hasAny);
  return (
    <div className={`ts-column ${classes.pane}`} data-tour="tape">
      <AfterPaint meanwhile={<ToolsPlace />}>
        <TapeTools />
      </AfterPaint>
      {steps.error !== null && (
        <StaleNotice message={describeError(steps.error)} onRetry={steps.retry} />
      )}
      <div
        className={`ts-scroll ${classes.scroller}`}
        ref={scroller}
        onScroll={pin.onScroll}
        tabIndex={-1}
      >
        <div className={classes.sheet} style={{ height: list.height }}>
          {list.items.map(({ key, index: line, start }) => (
            <div
              key={key}
              ref={list.measure}
              data-index={line}
              className={classes.place}
              style={{ transform: `translateY(${start}px)` }}
            >
              {line < lines.length ? (
                <StepPlace {...{ model, lines, line, list, steps, selected, pausedAt }} />
              ) : (
                <EndPlace model={model} lines={lines} />
              )}
            </div>
          ))}
        </div>
      </div>
      {pin.newCount > 0 && (
        <Button
          className={classes.newSteps}
          leftSection={<IconArrowDown size={14} />}
          onClick={pin.onJump}
        >
          {countOf(pin.newCount, "new step")}
        </Button>
      )}
      <Announcer count={count} isRunning={model.isRunning} />
    </div>
  );
}

function NothingYet({ isRunning }: { isRunning: boolean }) {
  return (
    <EmptyState title="This tape has no steps yet" icon={<IconTimeline size={24} stroke={1.5} />}>
      {isRunning
        ? "The agent has started; its first step will appear here."
        : "Choose an agent below and press Run."}
    </EmptyState>
  );
}

/** Recorded positions of the cards that are drawn, for fetching their bodies. */
function originsOf({ slots }: TapeModel, lines: Lines, items: readonly { index: number }[]) {
  return items
    .map(({ index: line }) => slots[lines.at(line) ?? -1]?.origin ?? null)
    .filter((origin) => origin !== null);
}
