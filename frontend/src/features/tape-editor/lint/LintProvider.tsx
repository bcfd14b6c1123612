/** What the linter finds on the open tape, by step. It looks again whenever a run has ended. */
import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, useMemo, type ReactNode } from "react";

import { tapeLintQuery } from "@/api/lint";
import type { Finding } from "@/api/types";
import { useTapeModel } from "@/features/tape-editor/editor";

export interface TapeLint {
  findings: readonly Finding[];
  /** By the position of the recorded step. */
  byPosition: ReadonlyMap<number, readonly Finding[]>;
  isPending: boolean;
  error: Error | null;
  retry: () => void;
}

const NONE: readonly Finding[] = [];
const NOWHERE: ReadonlyMap<number, readonly Finding[]> = new Map();
const LintContext = createContext<TapeLint | null>(null);
// Apart, because every card and every line of the map reads it.
const PlacesContext = createContext(NOWHERE);

interface LintProviderProps {
  /** To lint a long tape keeps the server busy: what the reader waits for goes first. */
  isOutlineKnown: boolean;
  children: ReactNode;
}

export function LintProvider({ isOutlineKnown, children }: LintProviderProps) {
  const { tape, isRunning } = useTapeModel();
  const { data, isPending, error, refetch } = useQuery({
    ...tapeLintQuery(tape.id, tape.step_count),
    enabled: !isRunning && isOutlineKnown,
  });
  const byPosition = useMemo(() => (data === undefined ? NOWHERE : groupFindings(data)), [data]);
  const lint = useMemo(
    () => ({
      findings: data ?? NONE,
      byPosition,
      isPending: isPending && !isRunning,
      error,
      retry: () => void refetch(),
    }),
    [data, byPosition, isPending, isRunning, error, refetch],
  );
  return (
    <LintContext.Provider value={lint}>
      <PlacesContext.Provider value={byPosition}>{children}</PlacesContext.Provider>
    </LintContext.Provider>
  );
}

export function groupFindings(findings: readonly Finding[]): Map<number, Finding[]> {
  const groups = new Map<number, Finding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.position);
    if (group === undefined) groups.set(finding.position, [finding]);
    else group.push(finding);
  }
  return groups;
}

export function useTapeLint(): TapeLint {
  const lint = useContext(LintContext);
  if (lint === null) throw new Error("This must be rendered inside a lint provider.");
  return lint;
}

/** The findings at a recorded step, the gravest first; an inserted step has none yet. */
export function useFindingsAt(position: number | null): readonly Finding[] {
  const places = useContext(PlacesContext);
  return (position === null ? undefined : places.get(position)) ?? NONE;
}
