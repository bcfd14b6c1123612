/** The family of the open tape: requested once, for the map, the chevrons and the keys. */
import { useLocalStorage } from "@mantine/hooks";
import { createContext, useContext, useMemo, useState, type ReactNode } from "react";

import { useFamilyQuery } from "@/api/families";
import type { FamilyMember } from "@/api/types";
import { type Colouring, COLOURINGS } from "@/features/tape-editor/map/branchColours";
import { type BranchName, nameBranches } from "@/features/tape-editor/map/branchNames";
import { type Fork, listForks, listLines, type MapLine } from "@/features/tape-editor/map/branches";

export interface Family {
  openId: string;
  members: readonly FamilyMember[];
  /** How many there are; exceeds `members.length` in a very large family. */
  count: number;
  names: ReadonlyMap<string, BranchName>;
  lines: readonly MapLine[];
  forks: ReadonlyMap<number, Fork>;
  error: Error | null;
  retry: () => void;
  toggleFold: (lineKey: string) => void;
  colouring: Colouring;
  setColouring: (colouring: Colouring) => void;
}

export function FamilyProvider({ tapeId, children }: { tapeId: string; children: ReactNode }) {
  return <FamilyContext.Provider value={useBuiltFamily(tapeId)}>{children}</FamilyContext.Provider>;
}

function useBuiltFamily(tapeId: string): Family {
  const { data, error, refetch } = useFamilyQuery(tapeId);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(NONE);
  const [stored, setColouring] = useLocalStorage({
    key: "studio.map.colour",
    defaultValue: "kind",
    getInitialValueInEffect: false,
  });
  return useMemo(() => {
    const members = data?.items ?? [];
    return {
      openId: tapeId,
      members,
      count: data?.count ?? 0,
      names: nameBranches(members),
      lines: listLines(members, { openId: tapeId, unfolded }),
      forks: listForks(members, tapeId),
      error: data === undefined ? error : null,
      retry: () => void refetch(),
      toggleFold: (id: string) =>
        setUnfolded((before) => {
          const after = new Set(before);
          if (!after.delete(id)) after.add(id);
          return after;
        }),
      colouring: COLOURINGS.find((known) => known === stored) ?? "kind",
      setColouring,
    };
  }, [tapeId, data, error, refetch, unfolded, stored, setColouring]);
}

const NONE: ReadonlySet<string> = new Set();
const FamilyContext = createContext<Family | null>(null);

export function useFamily(): Family {
  const family = useContext(FamilyContext);
  if (family === null) throw new Error("This must be rendered inside a tape editor.");
  return family;
}
