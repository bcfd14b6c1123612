/** Both sides in one column, or side by side: the reader's choice, if there is room. */
import { useElementSize, useLocalStorage } from "@mantine/hooks";

/** Below this width two columns would be too narrow to read. */
const NARROW = 560;

export interface Unified {
  /** Measures the room for the columns. */
  measure: (element: HTMLDivElement | null) => void;
  isUnified: boolean;
  /** There is only room for one column. */
  isNarrow: boolean;
  toggle: () => void;
}

export function useUnified(): Unified {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [isWanted, setWanted] = useLocalStorage({
    key: "studio.diff.unified",
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  // Assume that there is room until it is measured.
  const isNarrow = width > 0 && width < NARROW;
  return {
    measure: ref,
    isNarrow,
    isUnified: isNarrow || isWanted,
    toggle: () => setWanted(!isWanted),
  };
}
