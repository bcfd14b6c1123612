/**
 * Scrolls the chosen line of a virtual list into view and keeps it there, whatever changes size
 * later: lines around it, the list itself, or what is above and below it. The person's own
 * scrolling ends that.
 */
import { useCallback, useEffect, useLayoutEffect, useRef, type RefObject } from "react";

import { onOwnScroll } from "@/ui/ownScroll";

interface KeptOptions {
  scroller: RefObject<HTMLElement | null>;
  /** Negative if no line is chosen. */
  line: number;
  /** The total height of all lines. */
  height: number;
  /** `isFirst` for the line that the list was opened at. */
  scrollTo: (line: number, isFirst: boolean) => void;
  /** Whether the end of a growing list is followed instead, so that the line no longer matters. */
  isFollowing?: () => boolean;
  onBrought?: () => void;
}

const NEVER = () => false;

export function useKeepInView(options: KeptOptions): void {
  const { scroller, line, height } = options;
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });
  const isLeft = useRef(false);
  const brought = useRef(-1);
  const opened = useRef(line);
  const bring = useCallback(() => {
    const { line, scrollTo, isFollowing = NEVER, onBrought } = latest.current;
    if (line !== opened.current) opened.current = -1;
    if (line < 0 || isLeft.current) return;
    if (brought.current === line && isFollowing()) {
      isLeft.current = true;
      return;
    }
    brought.current = line;
    scrollTo(line, line === opened.current);
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
    // Created after the list's own observer, which must measure the size first.
    const observer = new ResizeObserver(bring);
    observer.observe(element);
    return () => {
      stopListening();
      observer.disconnect();
    };
  }, [scroller, line, bring]);
  useEffect(bring, [bring, line, height]);
}
