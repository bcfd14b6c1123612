/** Both sides in one column, or side by side: as the reader wants it, and where there is room. */
import { useElementSize, useLocalStorage } from "@mantine/hooks";

/** Below this width two columns would be too narrow to read. */
const NARROW = 560;

export interface Unified {
  /** Measures what the columns have room in. */
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
  // Before it is measured there is room.
  const isNarrow = width > 0 && width < NARROW;
  return {
    measure: ref,
    isNarrow,
    isUnified: isNarrow || isWanted,
    toggle: () => setWanted(!isWanted),
  };
}
