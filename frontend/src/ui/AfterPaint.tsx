import { startTransition, useEffect, useState, type ReactNode } from "react";

/** Draws its children once what stands around them was painted: what one came for is seen first. */
export function AfterPaint({ children }: { children: ReactNode }) {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    let timer: number | undefined;
    // A frame is painted after its callbacks, and before the next task.
    const frame = requestAnimationFrame(() => {
      timer = window.setTimeout(() => startTransition(() => setPainted(true)));
    });
    return () => {
      cancelAnimationFrame(frame);
      window.clearTimeout(timer);
    };
  }, []);
  return isPainted ? children : null;
}
