/** The linter's findings on the open tape, by step; during a run they lag some steps behind. */
import { useThrottledValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { createContext, useContext, useMemo, type ReactNode } from "react";

import { tapeLintQuery } from "@/api/lint";
import type { Outline } from "@/api/outline";
import type { Finding } from "@/api/types";
import { useTapeModel } from "@/features/tape-editor/editor";

export interface TapeLint {
  findings: readonly Finding[];
  /** By the position of the recorded step. */
  byPosition: ReadonlyMap<number, readonly Finding[]>;
  isPending: boolean;
  /** What the person opened is on the screen, so the server may be asked for more. */
  isReady: boolean;
  error: Error | null;
  retry: () => void;
}

/** A longer tape is linted after its run has ended, because it takes the server too long. */
const LONGEST_LIVE = 2_000;
const LIVE_MS = 3_000;

const NONE: readonly Finding[] = [];
const NOWHERE: ReadonlyMap<number, readonly Finding[]> = new Map();
const LintContext = createContext<TapeLint | null>(null);
// Separate, because every card and every row of the map reads it.
const PlacesContext = createContext(NOWHERE);

interface LintProviderProps {
  /** Linting a long tape keeps the server busy: what the reader waits for goes first. */
  isOutlineKnown: boolean;
  children: ReactNode;
}

export function LintProvider({ isOutlineKnown, children }: LintProviderProps) {
  const { tape, outline, isRunning } = useTapeModel();
  const { length } = outline;
  const followed = useThrottledValue(length, LIVE_MS);
  const stepCount = isRunning ? followed : length;
  const { data, isPending, error, refetch } = useQuery({
    ...tapeLintQuery(tape.id, stepCount),
    enabled: isOutlineKnown && (!isRunning || length <= LONGEST_LIVE),
    placeholderData: keepPreviousData,
  });
  const found = useMemo(
    () => (data !== undefined && isRunning ? settled(data, outline) : data),
    [data, outline, isRunning],
  );
  const byPosition = useMemo(() => (found === undefined ? NOWHERE : groupFindings(found)), [found]);
  const lint = useMemo(
    () => ({
      findings: found ?? NONE,
      byPosition,
      isPending: isPending && !isRunning,
      isReady: isOutlineKnown,
      error,
      retry: () => void refetch(),
    }),
    [found, byPosition, isPending, isOutlineKnown, isRunning, error, refetch],
  );
  return (
    <LintContext.Provider value={lint}>
      <PlacesContext.Provider value={byPosition}>{children}</PlacesContext.Provider>
    </LintContext.Provider>
  );
}

/** The findings before the last action, whose result is not on the tape yet. */
export function settled(findings: readonly Finding[], outline: Outline): readonly Finding[] {
  let last = outline.length - 1;
  while (last >= 0 && outline.at(last)?.family !== "action") last -= 1;
  return findings.filter(({ position }) => position < last);
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

/** The findings at a recorded step, the most severe first; an inserted step has none yet. */
export function useFindingsAt(position: number | null): readonly Finding[] {
  const places = useContext(PlacesContext);
  return (position === null ? undefined : places.get(position)) ?? NONE;
}
