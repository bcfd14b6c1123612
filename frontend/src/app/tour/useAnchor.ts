/** Where the card of a tour stop is placed: next to its anchor, inside the window. */
import { useLayoutEffect, useRef, useState, type CSSProperties, type RefObject } from "react";

const GAP = 12;
const WIDTH = 320;
const LOOK_MS = 200;

interface Placed {
  ring: CSSProperties | null;
  card: CSSProperties;
}

/** Without its anchor (another pane is in view) the card is at the lower right corner. */
const NOWHERE: Placed = {
  ring: null,
  card: { right: GAP, bottom: GAP, width: WIDTH },
};

export function useAnchor(name: string): Placed & { place: RefObject<HTMLElement | null> } {
  const place = useRef<HTMLElement>(null);
  const [placed, setPlaced] = useState(NOWHERE);
  useLayoutEffect(() => {
    let last = "";
    const look = () => {
      const anchor = document.querySelector(`[data-tour="${name}"]`);
      const height = place.current?.offsetHeight ?? 0;
      const next = anchor === null ? NOWHERE : placeBeside(anchor.getBoundingClientRect(), height);
      const serialized = JSON.stringify(next);
      if (serialized !== last) setPlaced(next);
      last = serialized;
    };
    look();
    // Panes are dragged, screens load, windows change size: polling covers all of it.
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [name]);
  return { ...placed, place };
}

function placeBeside(box: DOMRect, height: number): Placed {
  const { innerWidth, innerHeight } = window;
  const rightSpace = innerWidth - box.right;
  const left =
    rightSpace >= WIDTH + 2 * GAP
      ? box.right + GAP
      : box.left >= WIDTH + 2 * GAP
        ? box.left - WIDTH - GAP
        : innerWidth / 2 - WIDTH / 2;
  const isBeside = left >= box.right || left + WIDTH <= box.left;
  const top = isBeside
    ? box.top + Math.min(40, box.height / 4)
    : box.bottom + height + 2 * GAP <= innerHeight
      ? box.bottom + GAP
      : box.top - height - GAP;
  return {
    ring: { left: box.left, top: box.top, width: box.width, height: box.height },
    card: {
      left: clamp(left, GAP, innerWidth - WIDTH - GAP),
      top: clamp(top, GAP, innerHeight - height - GAP),
      width: WIDTH,
    },
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, Math.max(least, most)));
}
