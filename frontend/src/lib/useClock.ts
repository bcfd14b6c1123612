import { useEffect, useState } from "react";

/** The value of `read`, taken every `everyMs`; `read` must be the same function each time. */
export function useClock<Moment>(read: () => Moment, everyMs: number): Moment {
  const [now, setNow] = useState(read);
  useEffect(() => {
    const timer = setInterval(() => setNow(read), everyMs);
    return () => clearInterval(timer);
  }, [read, everyMs]);
  return now;
}
