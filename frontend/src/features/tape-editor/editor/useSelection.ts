/** What is looked at, in the address: step, field, inspector tab, and the tape beside this one.
 *
 * Choosing a step replaces the address, so that Back leaves the tape and not one step of it.
 * Turning to another tab or comparing is a place of its own: Back leads from it.
 */
import { useCallback } from "react";

import { useAddress } from "@/lib/useAddress";

export const TABS = [
  "prompt",
  "output",
  "metrics",
  "views",
  "training",
  "notes",
  "provenance",
] as const;
export type Tab = (typeof TABS)[number];
/** The prompt of the step, to try other words and models on: over the prompt tab. */
export const PLAYGROUND = "playground";

export interface Selection {
  /** Position in the edited tape; `null` when no step is chosen. */
  step: number | null;
  /** JSON pointer into the step's body; empty for the whole step. */
  field: string;
  tab: Tab;
  isPlayground: boolean;
  /** The tape that this one is compared with. */
  compared: string | null;
  select: (step: number) => void;
  showTab: (wanted: Tab) => void;
  /** `null` ends comparing. */
  compareWith: (tapeId: string | null) => void;
  /** Go to another place of this tape: names of the address and what they become. */
  goTo: (part: Record<string, string | null>) => void;
}

export function useSelection(stepCount: number): Selection {
  const [params, change] = useAddress();
  const tab = TABS.find((known) => known === params.get("view")) ?? "prompt";
  const compared = params.get("cmp");
  return {
    step: readStep(params.get("step"), stepCount),
    field: params.get("field") ?? "",
    tab,
    isPlayground: params.get("view") === PLAYGROUND,
    compared,
    select: useCallback(
      (step: number) => change({ step: String(step), field: null }, { replace: true }),
      [change],
    ),
    // The same place twice would make Back do nothing.
    showTab: (wanted) => {
      if (wanted !== tab) change({ view: wanted });
    },
    compareWith: (tapeId) => {
      if (tapeId !== compared) change({ cmp: tapeId });
    },
    goTo: change,
  };
}

function readStep(text: string | null, stepCount: number): number | null {
  if (text === null || !/^\d+$/.test(text) || stepCount === 0) return null;
  return Math.min(Number(text), stepCount - 1);
}
