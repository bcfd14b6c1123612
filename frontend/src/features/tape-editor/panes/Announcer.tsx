import { useEffect, useMemo, useRef } from "react";

import { countOf } from "@/lib/format";

/** Announces new steps to screen readers. */
export function Announcer({ count, isRunning }: { count: number; isRunning: boolean }) {
  const announced = useRef(count);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isRunning) {
      announced.current = count;
      return;
    }
    // Several steps within a moment are announced as one number.
    const timer = setTimeout(() => {
      const fresh = count - announced.current;
      announced.current = count;
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
