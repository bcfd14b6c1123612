/** Where the facets are shown: next to the table, which is remembered, or in a drawer over it. */
import { useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { useMemo, useState } from "react";

import { useKeys } from "@/lib/keys";

export interface FacetsPlace {
  isBeside: boolean;
  isOpen: boolean;
  toggle: () => void;
  /** Incremented when the keys request the first box. */
  focusAsked: number;
}

export function useFacetsPlace(): FacetsPlace {
  const isBeside = useMediaQuery("(min-width: 1100px)", undefined, {
    getInitialValueInEffect: false,
  });
  const [isKept, setKept] = useLocalStorage({
    key: "studio.tapes.facets",
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const [isDrawn, setDrawn] = useState(false);
  const [focusAsked, setFocusAsked] = useState(0);
  const isOpen = isBeside ? isKept : isDrawn;
  const setOpen = isBeside ? setKept : setDrawn;
  const bindings = useMemo(
    () => [
      {
        keys: "f",
        label: "Go to the facets",
        run: () => {
          setOpen(true);
          setFocusAsked((count) => count + 1);
        },
      },
    ],
    [setOpen],
  );
  useKeys("Tapes", bindings);
  return { isBeside, isOpen, toggle: () => setOpen(!isOpen), focusAsked: isOpen ? focusAsked : 0 };
}
