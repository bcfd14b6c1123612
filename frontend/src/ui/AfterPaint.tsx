/** Draws the main content of a screen first; what surrounds it follows in the next frames. */
import {
  createContext,
  startTransition,
  useContext,
  useEffect,
  useMemo,
  useState,
  type ReactNode,
} from "react";

interface FirstPaint {
  isPainted: boolean;
  onPainted: () => void;
}

const FirstPaintContext = createContext<FirstPaint | null>(null);
/** If the main content does not appear, the rest is drawn after this time. */
const LONGEST_WAIT_MS = 400;

/** Wraps a screen; it waits once, not again for the next content that the screen shows. */
export function PaintFirst({ children }: { children: ReactNode }) {
  const [isPainted, setPainted] = useState(false);
  const order = useMemo(
    () => ({ isPainted, onPainted: () => startTransition(() => setPainted(true)) }),
    [isPainted],
  );
  useEffect(() => {
    const timer = setTimeout(order.onPainted, LONGEST_WAIT_MS);
    return () => clearTimeout(timer);
  }, [order]);
  return <FirstPaintContext value={order}>{children}</FirstPaintContext>;
}

/** Called by the main content, with `isDrawn` once it is there. */
export function useFirstPaint(isDrawn: boolean): void {
  const order = useContext(FirstPaintContext);
  const isAwaited = order?.isPainted === false;
  useEffect(() => {
    if (!isAwaited || !isDrawn) return undefined;
    let timer: number | undefined;
    // A frame is painted after its callbacks, and before the next task.
    const frame = requestAnimationFrame(() => {
      timer = window.setTimeout(order.onPainted);
    });
    return () => {
      cancelAnimationFrame(frame);
      window.clearTimeout(timer);
    };
  }, [order, isAwaited, isDrawn]);
}

interface AfterPaintProps {
  children: ReactNode;
  /** Holds the space, so that nothing moves. */
  meanwhile?: ReactNode;
}

export function AfterPaint({ children, meanwhile = null }: AfterPaintProps) {
  return useIsPainted() ? children : meanwhile;
}

/** For parts of the main content that can be simpler until the first paint. */
export function useIsPainted(): boolean {
  return useContext(FirstPaintContext)?.isPainted ?? true;
}
