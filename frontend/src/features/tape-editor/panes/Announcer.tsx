import { useEffect, useMemo, useRef } from "react";

import { countOf } from "@/lib/format";

/** Tells a screen reader what others see come. */
export function Announcer({ count, isRunning }: { count: number; isRunning: boolean }) {
  const told = useRef(count);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isRunning) {
      told.current = count;
      return;
    }
    // Several steps within a moment are told as one number.
    const timer = setTimeout(() => {
      const fresh = count - told.current;
      told.current = count;
      if (place.current !== null && fresh > 0) {
        place.current.textContent = countOf(fresh, "new step");
      }
    }, 1000);
    return () => clearTimeout(timer);
  }, [count, isRunning]);
  return useMemo(
    () => <div ref={place} className="ts-visually-hidden" role="status" aria-live="polite" />,
    [],
  );
}
