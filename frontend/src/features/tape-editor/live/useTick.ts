import { useClock } from "@/lib/useClock";

/** The page's clock in milliseconds, as `performance.now()` counts, read every so often. */
export function useTick(everyMs: number): number {
  return useClock(readPage, everyMs);
}

const readPage = () => performance.now();
