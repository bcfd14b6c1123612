/** Brings the chosen card into sight, and again while cards around it find their height. */
import { useEffect, useRef, type RefObject } from "react";

/** Long enough for the steps to come from a busy server; ended by the first scroll of one's own. */
const SETTLING_MS = 5000;

interface KeptOptions {
  scroller: RefObject<HTMLDivElement | null>;
  line: number;
  height: number;
  /** How high the card of a line is, as far as it is known. */
  heightOf: (line: number) => number | undefined;
  scrollTo: (line: number, options: { align: "auto" | "start" }) => void;
}

export function useKeptInSight({ scroller, line, height, heightOf, scrollTo }: KeptOptions): void {
  const until = useRef(0);
  useEffect(() => {
    until.current = performance.now() + SETTLING_MS;
    const element = scroller.current;
    const onOwnScroll = () => {
      until.current = 0;
    };
    element?.addEventListener("wheel", onOwnScroll, { passive: true });
    element?.addEventListener("pointerdown", onOwnScroll);
    // Who types looks at the words, wherever on the card they are.
    element?.addEventListener("input", onOwnScroll);
    return () => {
      element?.removeEventListener("wheel", onOwnScroll);
      element?.removeEventListener("pointerdown", onOwnScroll);
      element?.removeEventListener("input", onOwnScroll);
    };
  }, [scroller, line]);
  useEffect(() => {
    if (line < 0 || performance.now() >= until.current) return;
    // A card that does not fit is read from its head.
    const isTall = (heightOf(line) ?? 0) > (scroller.current?.clientHeight ?? Infinity);
    scrollTo(line, { align: isTall ? "start" : "auto" });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only what is scrolled to counts
  }, [line, height, scrollTo]);
}
