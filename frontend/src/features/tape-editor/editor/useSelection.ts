/** What the address shows: step, field, inspector tab, and the tape next to this one.
 *
 * Choosing a step replaces the address, so that Back leaves the tape and not just the step.
 * Switching tabs and comparing add an entry, so that Back undoes them.
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
  "form",
] as const;
export type Tab = (typeof TABS)[number];
const WITHOUT_FORM = TABS.filter((tab) => tab !== "form");
/** The step's prompt, for trying other texts and models; shown over the prompt tab. */
export const PLAYGROUND = "playground";

export interface Selection {
  /** Position in the edited tape; `null` when no step is chosen. */
  step: number | null;
  /** JSON pointer into the step's body; empty for the complete step. */
  field: string;
  tab: Tab;
  /** Those that this tape has: the form is the tab of dialogues about one, and opens first. */
  tabs: readonly Tab[];
  isPlayground: boolean;
  /** The tape that this one is compared with. */
  compared: string | null;
  select: (step: number) => void;
  showTab: (wanted: Tab) => void;
  /** `null` ends comparing. */
  compareWith: (tapeId: string | null) => void;
  /** Go to another place of this tape: names in the address and their new values. */
  goTo: (part: Record<string, string | null>) => void;
}

export function useSelection(stepCount: number, hasForm: boolean): Selection {
  const [params, change] = useAddress();
  const view = params.get("view");
  const tabs = hasForm ? TABS : WITHOUT_FORM;
  const first = hasForm && view === null ? "form" : "prompt";
  const tab = tabs.find((known) => known === view) ?? first;
  const compared = params.get("cmp");
  return {
    step: readStep(params.get("step"), stepCount),
    field: params.get("field") ?? "",
    tab,
    tabs,
    isPlayground: view === PLAYGROUND,
    compared,
    select: useCallback(
      (step: number) => change({ step: String(step), field: null }, { replace: true }),
      [change],
    ),
    // With the same place twice, Back would do nothing.
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
