/** A person's place in the tour, remembered for each person in this browser. */
import { create } from "zustand";

export interface TourPlace {
  stop: number;
  /** The person went back to a stop that is done: it stays until they go on. */
  isHeld: boolean;
}

interface TourState {
  /** The person whose tour it is; empty until the session is known. */
  person: string;
  /** Where the tour is; `null` while none is running. */
  place: TourPlace | null;
  /** The stop at which the person left, to continue from there. */
  left: number;
  /** Clicks, keys and texts of the person since the start. */
  actionCount: number;
  /** The invitation was dismissed, or the tour was completed. */
  isOver: boolean;
}

const START: TourState = { person: "", place: null, left: 0, actionCount: 0, isOver: true };

export const useTour = create<TourState>(() => START);

/** Load this person's place, and store it from now on. */
export function openTour(person: string): void {
  if (useTour.getState().person === person) return;
  useTour.setState({ ...START, person, ...readMemory(person) });
}

export function startTour(): void {
  useTour.setState(({ left, actionCount }) => ({
    place: { stop: left, isHeld: false },
    actionCount: left === 0 ? 0 : actionCount,
  }));
  writeMemory();
}

export function showStop(place: TourPlace): void {
  useTour.setState({ place, left: place.stop });
  writeMemory();
}

export function countAction(): void {
  useTour.setState(({ actionCount }) => ({ actionCount: actionCount + 1 }));
  writeMemory();
}

/** Leave for now: the next start continues at this stop. */
export function leaveTour(): void {
  useTour.setState({ place: null, isOver: true });
  writeMemory();
}

/** The tour is completed, or the invitation dismissed: the next start is at the beginning. */
export function endTour(): void {
  useTour.setState({ place: null, left: 0, isOver: true });
  writeMemory();
}

const keyOf = (person: string) => `studio.tour.${person}`;

/** Of this tab: opening the sample project reloads the page, and the tour goes on. */
const RUNNING = "studio.tour.running";

type Memory = Partial<Pick<TourState, "place" | "left" | "actionCount" | "isOver">>;

function readMemory(person: string): Memory {
  try {
    const stored = window.localStorage.getItem(keyOf(person));
    if (stored === null) return { isOver: false };
    const [left = 0, actionCount = 0] = stored.split(" ").map((part) => Number(part) || 0);
    const isRunning = window.sessionStorage.getItem(RUNNING) === person;
    return { left, actionCount, place: isRunning ? { stop: left, isHeld: false } : null };
  } catch {
    return { isOver: false };
  }
}

function writeMemory(): void {
  const { person, place, left, actionCount } = useTour.getState();
  try {
    window.localStorage.setItem(keyOf(person), `${left} ${actionCount}`);
    if (place === null) window.sessionStorage.removeItem(RUNNING);
    else window.sessionStorage.setItem(RUNNING, person);
  } catch {
    // A browser without storage shows the invitation again next time.
  }
}
