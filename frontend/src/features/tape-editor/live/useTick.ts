import { useClock } from "@/lib/useClock";

/** The page's clock in milliseconds, as in `performance.now()`, updated at this interval. */
export function useTick(everyMs: number): number {
  return useClock(readPage, everyMs);
}

const readPage = () => performance.now();
