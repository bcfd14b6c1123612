/** Which cards are drawn, and where: heights are estimated from the outline and then measured. */
import { defaultRangeExtractor, useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useMemo, useRef, type RefObject } from "react";

import {
  type EditorStore,
  type TapeModel,
  useEditor,
  useEditorApi,
} from "@/features/tape-editor/editor";
import type { Lines } from "@/features/tape-editor/map";
import { useIsPainted } from "@/ui/AfterPaint";
import { useKeepInView } from "@/ui/useKeepInView";
import type { StoreApi } from "zustand";

const LINE = 20;
const CHROME = 50;
const HEADER = 28;
const FOLDED_LINES = 12;
/** For a step whose length is not known yet. */
const USUAL_LINES = 4;
/** Browsers cannot draw an element higher than about 33.5 million pixels. */
const HIGHEST = 30_000_000;
/** A limit above this height is not applied: hardly any card is that high. */
const HIGH_CARD = 600;

interface CardListOptions {
  scroller: RefObject<HTMLDivElement | null>;
  model: TapeModel;
  lines: Lines;
  /** One more place at the end: what is being written, or what was cut. */
  hasEnd: boolean;
  selected: number | null;
  /** A field of the chosen step that a link names; empty for none. */
  field: string;
  /** Whether the list follows the end while a run writes there. */
  isFollowing: () => boolean;
  onBrought: () => void;
}

/** Measured heights, for when the pane is shown again. */
const measured = new WeakMap<StoreApi<EditorStore>, VirtualItem[]>();

export function useCardList(options: CardListOptions) {
  const { scroller, model, lines, hasEnd, selected, field } = options;
  const store = useEditorApi();
  const { slots, outline } = model;
  const editedLine = useEditedLine(model, lines);
  const estimate = useMemo(() => keptHeights({ slots, outline }, lines), [slots, outline, lines]);
  // A new function recomputes all places, so it changes only with what the estimates are based on.
  const keyOf = useMemo(
    () => (line: number) => slots[lines.at(line) ?? -1]?.key ?? "end",
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `outline` is what heights come from
    [slots, lines, outline],
  );
  const chosenLine = selected !== null && lines.has(selected) ? lines.lineOf(selected) : -1;
  const virtual = useVirtualizer({
    count: lines.length + Number(hasEnd),
    getScrollElement: () => scroller.current,
    // Draws cards in the first render; measuring first would delay them to the second.
    initialRect: { width: 0, height: window.innerHeight },
    getItemKey: keyOf,
    estimateSize: estimate,
    // Until the first paint, cards out of sight would only delay those in sight.
    overscan: useIsPainted() ? 5 : 1,
    paddingStart: 8,
    paddingEnd: 16,
    initialOffset: () => offsetOf(chosenLine, estimate),
    initialMeasurementsCache: measured.get(store) ?? [],
    // An open form stays drawn, so that scrolling loses nothing that was typed; and the chosen card,
    // which would lose the focus: heights that arrive late move it out of sight for a moment.
    rangeExtractor: (range) => {
      const kept = [editedLine, chosenLine].filter((line) => line >= 0);
      const drawn = new Set([...defaultRangeExtractor(range), ...kept]);
      return [...drawn].sort((one, other) => one - other);
    },
  });
  useLayoutEffect(() => {
    virtual.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  }, [virtual]);
  useEffect(
    () => () => {
      measured.set(store, virtual.takeSnapshot());
    },
    [store, virtual],
  );

  const height = virtual.getTotalSize();
  const items = virtual.getVirtualItems();
  useKeepInView({
    scroller,
    line: chosenLine,
    height,
    isFollowing: options.isFollowing,
    onBrought: options.onBrought,
    scrollTo: (line, isFirst) => {
      const card = virtual.measurementsCache[line];
      const room = scroller.current?.clientHeight ?? Infinity;
      const top = virtual.scrollOffset ?? 0;
      // A card that does not fit is shown from its top, or at the field that a link names.
      const isTall = (card?.size ?? 0) > room;
      const isSeen = card !== undefined && card.end > top && card.start < top + room;
      if (isTall && isSeen && field !== "") return;
      const isWhole = isSeen && card.start >= top && card.end <= top + room;
      // At the edge, the card would move again with the run bar, which grows while the page loads.
      const nearest = isFirst && !isWhole ? "center" : "auto";
      virtual.scrollToIndex(line, { align: isTall ? "start" : nearest });
    },
  });
  useSteady({
    scroller,
    count: lines.length,
    keyOf,
    first: items.find(({ end }) => end > (virtual.scrollOffset ?? 0))?.index ?? 0,
    startOf: (line) => virtual.measurementsCache[line]?.start,
  });
  const limit = Math.floor(HIGHEST / Math.max(1, slots.length));
  return {
    items,
    height,
    measure: virtual.measureElement,
    estimate,
    /** The maximum height of a card, on a tape of a hundred thousand steps. */
    limit: limit < HIGH_CARD ? limit : undefined,
  };
}

function useEditedLine({ slots }: TapeModel, lines: Lines): number {
  const editing = useEditor((editor) => editor.editing);
  return useMemo(() => {
    const index = editing === null ? -1 : slots.findIndex(({ key }) => key === editing);
    return index >= 0 && lines.has(index) ? lines.lineOf(index) : -1;
  }, [editing, slots, lines]);
}

interface SteadyOptions {
  scroller: RefObject<HTMLDivElement | null>;
  count: number;
  keyOf: (line: number) => string;
  /** The line at the top of the view. */
  first: number;
  startOf: (line: number) => number | undefined;
}

/** Keeps what the person reads in place when heights above it change, or steps are added or removed
 * there. The list could do so itself, but would sum up all places again for each measured card. */
function useSteady({ scroller, count, keyOf, first, startOf }: SteadyOptions): void {
  const before = useRef<{ key: string; line: number; start: number } | null>(null);
  useLayoutEffect(() => {
    const old = before.current;
    const line = old === null ? -1 : lineOf(old, count, keyOf);
    const now = startOf(line);
    if (old !== null && now !== undefined && now !== old.start) {
      scroller.current?.scrollBy({ top: now - old.start, behavior: "instant" });
    }
    before.current = { key: keyOf(first), line: first, start: startOf(first) ?? 0 };
  });
}

/** The current index of a line, or -1. */
function lineOf(
  { key, line }: { key: string; line: number },
  count: number,
  keyOf: (line: number) => string,
): number {
  if (keyOf(line) === key) return line;
  for (let at = 0; at < count; at += 1) if (keyOf(at) === key) return at;
  return -1;
}

/** The estimated offset of a line, to start there. */
function offsetOf(line: number, estimate: (line: number) => number): number {
  let offset = 0;
  for (let at = 0; at < line; at += 1) offset += estimate(at);
  return offset;
}

/** Caches the estimates: measuring a card sums up all places after it again. */
function keptHeights(model: Guessed, lines: Lines): (line: number) => number {
  const known = new Uint16Array(lines.length);
  return (line) => known[line] || (known[line] = estimateHeight(model, lines.at(line)));
}

type Guessed = Pick<TapeModel, "slots" | "outline">;

export function estimateHeight({ slots, outline }: Guessed, index: number | undefined): number {
  const slot = slots[index ?? -1];
  if (slot === undefined) return CHROME;
  const lines = slot.origin === null ? 1 : (outline.linesAt(slot.origin) ?? USUAL_LINES);
  const header = slot.origin !== null && outline.beginsRun(slot.origin) ? HEADER : 0;
  return CHROME + Math.min(lines, FOLDED_LINES) * LINE + header;
}
