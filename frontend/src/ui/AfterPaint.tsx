/** What one came for is drawn first; what stands around it comes with the next frames. */
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
/** If the first thing does not come, the others do. */
const LONGEST_WAIT_MS = 400;

/** Around a screen; it waits once, not again for the next thing that the screen shows. */
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

/** Called by the first thing: `isDrawn` once it is there. */
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
  /** Keeps the place, so that nothing moves. */
  meanwhile?: ReactNode;
}

export function AfterPaint({ children, meanwhile = null }: AfterPaintProps) {
  return useIsPainted() ? children : meanwhile;
}

/** For what is drawn as part of the first thing, and of which less is enough until then. */
export function useIsPainted(): boolean {
  return useContext(FirstPaintContext)?.isPainted ?? true;
}
