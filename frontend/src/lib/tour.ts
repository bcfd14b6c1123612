/** A person's place in the tour, remembered for each person in this browser. */
import { create } from "zustand";

interface TourState {
  /** The person whose tour it is; empty until the session is known. */
  person: string;
  /** The stop that is shown; `null` while no tour is running. */
  stop: number | null;
  /** The stop at which the person left, to continue from there. */
  left: number;
  /** The invitation was dismissed, or the tour was completed. */
  isOver: boolean;
}

const START: TourState = { person: "", stop: null, left: 0, isOver: true };

export const useTour = create<TourState>(() => START);

/** Load this person's place, and store it from now on. */
export function openTour(person: string): void {
  if (useTour.getState().person === person) return;
  useTour.setState({ ...START, person, ...readMemory(person) });
}

export function startTour(): void {
  useTour.setState(({ left }) => ({ stop: left }));
}

export function showStop(stop: number): void {
  useTour.setState({ stop, left: stop });
  writeMemory();
}

/** Leave for now: the next start continues at this stop. */
export function leaveTour(): void {
  useTour.setState({ stop: null, isOver: true });
  writeMemory();
}

/** The tour is completed, or the invitation dismissed: the next start is at the beginning. */
export function endTour(): void {
  useTour.setState({ stop: null, left: 0, isOver: true });
  writeMemory();
}

const keyOf = (person: string) => `studio.tour.${person}`;

function readMemory(person: string): Pick<TourState, "left" | "isOver"> {
  try {
    const stored = window.localStorage.getItem(keyOf(person));
    if (stored === null) return { left: 0, isOver: false };
    return { left: Number.parseInt(stored, 10) || 0, isOver: true };
  } catch {
    return { left: 0, isOver: false };
  }
}

function writeMemory(): void {
  const { person, left } = useTour.getState();
  try {
    window.localStorage.setItem(keyOf(person), String(left));
  } catch {
    // A browser without storage shows the invitation again next time.
  }
}
