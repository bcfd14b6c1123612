/** Follows a growing tape, but only while the reader is at its end. */
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";

import { onOwnScroll } from "@/ui/ownScroll";

const NEAR_END = 48;

interface PinOptions {
  scroller: RefObject<HTMLDivElement | null>;
  isGrowing: boolean;
  count: number;
  /** A step is chosen: it stays in view until the reader scrolls to the end. */
  hasChosen: boolean;
  /** How many runs were started on this page: a new one makes the list follow what it writes. */
  startCount: number;
}

type FollowOptions = Pick<PinOptions, "scroller" | "isGrowing" | "count"> & {
  isFollowing: () => boolean;
  height: number;
};

export function usePinnedToEnd(options: PinOptions) {
  const { scroller, isGrowing, count, hasChosen, startCount } = options;
  const isPinned = useRef(!hasChosen);
  // The reader jumped to the end deliberately, leaving a step chosen before.
  const hasJumped = useRef(false);
  const [leftAt, setLeftAt] = useState<number | null>(null);
  const top = useRef(0);
  // The reader scrolled since they were last at the end: only scrolling can leave it.
  const hasScrolled = useRef(false);

  const onScroll = () => {
    const element = scroller.current;
    if (element === null) return;
    const left = element.scrollHeight - element.scrollTop - element.clientHeight;
    const hasGoneUp = element.scrollTop < top.current;
    top.current = element.scrollTop;
    const wasPinned = isPinned.current;
    const isAtEnd = left < NEAR_END;
    // A box that opens below, or a card of another height than estimated, moves the end or the
    // position, not the reader.
    const hasLeft = hasScrolled.current && hasGoneUp;
    if (wasPinned && isGrowing && !isAtEnd && !hasLeft) return;
    isPinned.current = isAtEnd;
    if (isAtEnd) hasScrolled.current = false;
    if (!isPinned.current) hasJumped.current = false;
    if (isPinned.current) setLeftAt(null);
    else if (wasPinned) setLeftAt(count);
  };

  const onJump = () => {
    const element = scroller.current;
    if (element === null) return;
    isPinned.current = true;
    hasJumped.current = true;
    hasScrolled.current = false;
    setLeftAt(null);
    element.scrollTo({ top: element.scrollHeight });
  };

  const latest = useRef({ onScroll, onJump });
  useLayoutEffect(() => {
    latest.current = { onScroll, onJump };
  });
  // A list that fits into the pane never emits a scroll event.
  useEffect(() => latest.current.onScroll(), [isGrowing]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    return onOwnScroll(element, () => {
      hasScrolled.current = true;
    });
  }, [scroller]);

  const seenStarts = useRef(startCount);
  useEffect(() => {
    if (startCount > seenStarts.current) latest.current.onJump();
    seenStarts.current = startCount;
  }, [startCount]);

  return {
    onScroll,
    /** A chosen step was brought into view: counts as scrolling. */
    onBrought: () => {
      hasScrolled.current = true;
      onScroll();
    },
    onJump,
    isFollowing: () => isPinned.current && (isGrowing || hasJumped.current),
    newCount: leftAt === null ? 0 : Math.max(0, count - leftAt),
  };
}

/** `height` is that of all cards: each new or growing card moves the end. */
export function useFollowedEnd({ scroller, isGrowing, isFollowing, count, height }: FollowOptions) {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!isGrowing || element === null || !isFollowing()) return;
    element.scrollTo({ top: element.scrollHeight });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- whether it is followed counts then
  }, [scroller, isGrowing, count, height]);
  const follows = useRef(isFollowing);
  useLayoutEffect(() => {
    follows.current = isFollowing;
  });
  // A box that opens below takes room from the end: keep the steps that it asks about in view.
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      if (follows.current()) element.scrollTo({ top: element.scrollHeight });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
}
