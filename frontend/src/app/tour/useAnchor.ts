/** Where the card of a tour stop is placed: next to its anchor, inside the window. */
import { useLayoutEffect, useRef, useState, type CSSProperties, type RefObject } from "react";

const GAP = 12;
const WIDTH = 320;
export const LOOK_MS = 200;

interface Placed {
  ring: CSSProperties | null;
  card: CSSProperties;
}

/** Without its anchor (another pane is in view) the card is at the lower right corner. */
const NOWHERE: Placed = {
  ring: null,
  card: { right: GAP, bottom: GAP, width: WIDTH },
};

/** The first of these elements that is on the screen. */
export function findAnchor(names: readonly string[]): Element | null {
  for (const name of names) {
    const found = document.querySelector(`[data-tour="${name}"]`);
    if (found !== null && found.getClientRects().length > 0) return found;
  }
  return null;
}

/** `names` does not change between renders of a stop. */
export function useAnchor(
  names: readonly string[],
): Placed & { place: RefObject<HTMLElement | null> } {
  const place = useRef<HTMLElement>(null);
  const [placed, setPlaced] = useState(NOWHERE);
  useLayoutEffect(() => {
    let last = "";
    const look = () => {
      const anchor = findAnchor(names);
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
  }, [names]);
  return { ...placed, place };
}

function placeBeside(box: DOMRect, height: number): Placed {
  const { innerWidth, innerHeight } = window;
  const hasRoom = WIDTH + 2 * GAP;
  const left =
    innerWidth - box.right >= hasRoom
      ? box.right + GAP
      : box.left >= hasRoom
        ? box.left - WIDTH - GAP
        : box.right - WIDTH - GAP;
  const isBeside = left >= box.right || left + WIDTH <= box.left;
  return {
    ring: drawRing(box),
    card: {
      left: clamp(left, GAP, innerWidth - WIDTH - GAP),
      top: clamp(findTop(box, height, isBeside), GAP, innerHeight - height - GAP),
      width: WIDTH,
    },
  };
}

/** Beside, below or above; at the end of an element that leaves no room around it. */
function findTop(box: DOMRect, height: number, isBeside: boolean): number {
  if (isBeside) return box.top + Math.min(40, box.height / 4);
  if (box.bottom + height + 2 * GAP <= window.innerHeight) return box.bottom + GAP;
  return box.top >= height + 2 * GAP ? box.top - height - GAP : box.bottom - height - GAP;
}

const AROUND = 3;

function drawRing(box: DOMRect): CSSProperties {
  const left = Math.max(0, box.left - AROUND);
  const top = Math.max(0, box.top - AROUND);
  const right = Math.min(window.innerWidth, box.right + AROUND);
  const bottom = Math.min(window.innerHeight, box.bottom + AROUND);
  return { left, top, width: right - left, height: bottom - top };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, Math.max(least, most)));
}
