/** The fixes of a tape: one is open, the others are parked as they were left. Pure. */
import type { Fix } from "@/api/types";
import { type Draft, EMPTY_DRAFT } from "@/features/tape-editor/draft/draft";
import type { Operation } from "@/features/tape-editor/draft/operations";

export const FIXES = ["A", "B", "C", "D", "E", "F", "G", "H"] as const satisfies readonly Fix[];

/** The fix with this letter; `null` if the text is not one. */
export function readFix(text: string | null): Fix | null {
  return FIXES.find((fix) => fix === text) ?? null;
}

export type Parked = Readonly<Partial<Record<Fix, Draft>>>;

/** The open fix, and the others by letter. */
export interface Fixes {
  draft: Draft;
  parked: Parked;
}

export type FixEvent =
  | { type: "fix.opened"; fix: Fix }
  /** A new fix, or a copy of another. */
  | { type: "fix.started"; fix: Fix; operations: readonly Operation[]; stepCount: number }
  /** It is gone; another fix is open afterwards. */
  | { type: "fix.removed"; fix: Fix }
  /** The removed fix exists again, and is open. */
  | { type: "fix.restored"; draft: Draft }
  /** The server's fixes; the open one, and those that are not saved here, stay. */
  | { type: "fixes.loaded"; drafts: readonly Draft[] };

/** All fixes that change something, have a name or are open, by letter. */
export function listFixes({ draft, parked }: Fixes): Draft[] {
  return FIXES.flatMap((fix) => (fix === draft.fix ? draft : (parked[fix] ?? [])));
}

/** The first unused letter; null when all are used. */
export function freeLetter(fixes: Fixes): Fix | null {
  const taken = listFixes(fixes).map(({ fix }) => fix);
  return FIXES.find((fix) => !taken.includes(fix)) ?? null;
}

/** The fix after or before the open one, wrapping around at the ends. */
export function neighbourFix(fixes: Fixes, by: 1 | -1): Fix {
  const all = listFixes(fixes);
  const at = all.findIndex(({ fix }) => fix === fixes.draft.fix);
  return all.at((at + by) % all.length)?.fix ?? fixes.draft.fix;
}

/** The fix that the address must name to open this one; `null` if the tape opens with it anyway. */
export function fixForAddress({ draft, parked }: Fixes, isOneNamed: boolean): Fix | null {
  const isOneOfSeveral = isOneNamed || Object.keys(parked).length > 0;
  return isOneOfSeveral && isWorthKeeping(draft) ? draft.fix : null;
}

export function reduceFixes(fixes: Fixes, event: FixEvent): Fixes {
  switch (event.type) {
    case "fix.opened":
      return opened(fixes, fixes.parked[event.fix] ?? emptyFix(fixes, event.fix));
    case "fix.started": {
      const { fix, operations, stepCount } = event;
      const empty = emptyFix(fixes, fix);
      if (operations.length === 0) return opened(fixes, empty);
      const appliedCount = operations.length;
      const save = "unsaved";
      return opened(fixes, { ...empty, operations, appliedCount, baseStepCount: stepCount, save });
    }
    case "fix.restored":
      // The server deleted it: store it as a new draft.
      return opened(fixes, { ...event.draft, version: 0, save: "unsaved", problem: "" });
    case "fix.removed":
      return removed(fixes, event.fix);
    case "fixes.loaded":
      return refreshed(fixes, event.drafts);
  }
}

function emptyFix({ draft }: Fixes, fix: Fix): Draft {
  return { ...EMPTY_DRAFT, fix, others: draft.others };
}

/** It changes something, is stored or has a name; otherwise it can be dropped. */
function isWorthKeeping({ operations, version, name }: Draft): boolean {
  return operations.length > 0 || version > 0 || name !== "";
}

function opened({ draft, parked }: Fixes, next: Draft): Fixes {
  const left = without(parked, next.fix);
  if (draft.fix === next.fix || !isWorthKeeping(draft)) return { draft: next, parked: left };
  return { draft: next, parked: { ...left, [draft.fix]: { ...draft, session: null } } };
}

function removed(fixes: Fixes, fix: Fix): Fixes {
  const parked = without(fixes.parked, fix);
  if (fix !== fixes.draft.fix) return { ...fixes, parked };
  const next = FIXES.find((one) => parked[one] !== undefined) ?? fix;
  const draft = parked[next] ?? emptyFix(fixes, next);
  return { draft, parked: without(parked, next) };
}

function refreshed(fixes: Fixes, drafts: readonly Draft[]): Fixes {
  const versionOf = (fix: Fix) => drafts.find((one) => one.fix === fix)?.version ?? null;
  // A fix that the server no longer has is dropped; an answer older than a save is ignored.
  const isKept = ({ fix, save, version }: Draft) =>
    save !== "saved" || version > (versionOf(fix) ?? version);
  const unsaved = Object.entries(fixes.parked).filter(([, one]) => isKept(one));
  const kept: Parked = Object.fromEntries(unsaved);
  const news = drafts.filter(({ fix }) => fix !== fixes.draft.fix && kept[fix] === undefined);
  return {
    ...fixes,
    parked: { ...kept, ...Object.fromEntries(news.map((one) => [one.fix, one])) },
  };
}

function without(parked: Parked, fix: Fix): Parked {
  return Object.fromEntries(Object.entries(parked).filter(([letter]) => letter !== fix));
}
