/**
 * Brings the chosen line of a virtual list into sight and keeps it there, whatever finds its size
 * later: lines around it, the list itself, what stands above and below it. Who scrolls ends that.
 */
import { useCallback, useEffect, useLayoutEffect, useRef, type RefObject } from "react";

import { onOwnScroll } from "@/ui/ownScroll";

interface KeptOptions {
  scroller: RefObject<HTMLElement | null>;
  /** Below zero: none. */
  line: number;
  /** Of all lines together. */
  height: number;
  scrollTo: (line: number) => void;
  /** What is written at the end is followed instead, and the line no longer talked about. */
  isFollowing?: () => boolean;
  onBrought?: () => void;
}

const NEVER = () => false;

export function useKeptInSight(options: KeptOptions): void {
  const { scroller, line, height } = options;
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });
  const isLeft = useRef(false);
  const brought = useRef(-1);
  const bring = useCallback(() => {
    const { line, scrollTo, isFollowing = NEVER, onBrought } = latest.current;
    if (line < 0 || isLeft.current) return;
    if (brought.current === line && isFollowing()) {
      isLeft.current = true;
      return;
    }
    brought.current = line;
    scrollTo(line);
    onBrought?.();
  }, []);
  useEffect(() => {
    const element = scroller.current;
    isLeft.current = false;
    brought.current = -1;
    if (element === null || line < 0) return undefined;
    const stopListening = onOwnScroll(element, () => {
      isLeft.current = true;
    });
    // Behind the list's own, which has to know its size first.
    const observer = new ResizeObserver(bring);
    observer.observe(element);
    return () => {
      stopListening();
      observer.disconnect();
    };
  }, [scroller, line, bring]);
  useEffect(bring, [bring, line, height]);
}
