/** Reordering by drag and drop: a card is dragged by its handle and dropped before or after
 * another. */
import type { DragEvent } from "react";

const STEP = "application/x-tape-step";

export function startDrag(event: DragEvent, index: number): void {
  event.dataTransfer.setData(STEP, String(index));
  event.dataTransfer.effectAllowed = "move";
  const card = event.currentTarget.closest("article");
  if (card !== null) event.dataTransfer.setDragImage(card, 16, 16);
}

/** Handlers of a place where a step can be dropped. The drop marker is not React state. */
export function dropTarget(index: number, onMove: (from: number, to: number) => void) {
  return {
    onDragOver: (event: DragEvent<HTMLElement>) => {
      if (!event.dataTransfer.types.includes(STEP)) return;
      event.preventDefault();
      event.currentTarget.dataset.drop = halfOf(event);
    },
    onDragLeave: (event: DragEvent<HTMLElement>) => {
      delete event.currentTarget.dataset.drop;
    },
    onDrop: (event: DragEvent<HTMLElement>) => {
      const half = halfOf(event);
      delete event.currentTarget.dataset.drop;
      const text = event.dataTransfer.getData(STEP);
      if (!/^\d+$/.test(text)) return;
      event.preventDefault();
      onMove(Number(text), placeAfterMove(Number(text), index, half));
    },
  };
}

type Half = "before" | "after";

function halfOf(event: DragEvent<HTMLElement>): Half {
  const { top, height } = event.currentTarget.getBoundingClientRect();
  return event.clientY < top + height / 2 ? "before" : "after";
}

/** Where a step that is dropped before or after another ends up: removing it shifts later steps. */
export function placeAfterMove(from: number, target: number, half: Half): number {
  const place = half === "before" ? target : target + 1;
  return from < place ? place - 1 : place;
}
