/** Follows a growing tape, but only while the reader stands at its end. */
import { useLayoutEffect, useRef, useState, type RefObject } from "react";

const NEAR_END = 48;

interface PinOptions {
  scroller: RefObject<HTMLDivElement | null>;
  isGrowing: boolean;
  count: number;
  height: number;
}

export function usePinnedToEnd({ scroller, isGrowing, count, height }: PinOptions) {
  const isPinned = useRef(true);
  const [leftAt, setLeftAt] = useState<number | null>(null);

  const onScroll = () => {
    const element = scroller.current;
    if (element === null) return;
    const left = element.scrollHeight - element.scrollTop - element.clientHeight;
    const wasPinned = isPinned.current;
    isPinned.current = left < NEAR_END;
    if (isPinned.current) setLeftAt(null);
    else if (wasPinned) setLeftAt(count);
  };

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!isGrowing || !isPinned.current || element === null) return;
    element.scrollTo({ top: element.scrollHeight });
  }, [scroller, isGrowing, count, height]);

  const onJump = () => {
    const element = scroller.current;
    if (element === null) return;
    isPinned.current = true;
    setLeftAt(null);
    element.scrollTo({ top: element.scrollHeight });
  };

  return { onScroll, onJump, newCount: leftAt === null ? 0 : Math.max(0, count - leftAt) };
}
