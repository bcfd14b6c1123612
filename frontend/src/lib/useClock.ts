import { useEffect, useState } from "react";

/** What a clock says, read every so often; `read` is the same function each time. */
export function useClock<Moment>(read: () => Moment, everyMs: number): Moment {
  const [now, setNow] = useState(read);
  useEffect(() => {
    const timer = setInterval(() => setNow(read), everyMs);
    return () => clearInterval(timer);
  }, [read, everyMs]);
  return now;
}
