/** The fixes of a tape: one is open, the others are parked as they were left. Pure. */
import type { Fix } from "@/api/types";
import { type Draft, EMPTY_DRAFT } from "@/features/tape-editor/draft/draft";
import type { Operation } from "@/features/tape-editor/draft/operations";

export const FIXES = ["A", "B", "C", "D", "E", "F", "G", "H"] as const satisfies readonly Fix[];

/** The letter that a text is; `null` where it is none. */
export function readFix(text: string | null): Fix | null {
  return FIXES.find((fix) => fix === text) ?? null;
}

export type Parked = Readonly<Partial<Record<Fix, Draft>>>;

/** The open fix, and the others by their letters. */
export interface Fixes {
  draft: Draft;
  parked: Parked;
}

export type FixEvent =
  | { type: "fix.opened"; fix: Fix }
  /** A new fix, or the copy of another. */
  | { type: "fix.begun"; fix: Fix; operations: readonly Operation[]; stepCount: number }
  /** It is gone; another is open then. */
  | { type: "fix.removed"; fix: Fix }
  /** What was removed is there again, and open. */
  | { type: "fix.restored"; draft: Draft }
  /** What the server holds; what is open or not saved here stays. */
  | { type: "fixes.told"; drafts: readonly Draft[] };

/** All fixes that change something, are named or are open, by letter. */
export function listFixes({ draft, parked }: Fixes): Draft[] {
  return FIXES.flatMap((fix) => (fix === draft.fix ? draft : (parked[fix] ?? [])));
}

/** The first letter that no fix has; null when all have one. */
export function freeLetter(fixes: Fixes): Fix | null {
  const taken = listFixes(fixes).map(({ fix }) => fix);
  return FIXES.find((fix) => !taken.includes(fix)) ?? null;
}

/** The fix after or before the open one, around the ends. */
export function neighbourFix(fixes: Fixes, by: 1 | -1): Fix {
  const all = listFixes(fixes);
  const at = all.findIndex(({ fix }) => fix === fixes.draft.fix);
  return all.at((at + by) % all.length)?.fix ?? fixes.draft.fix;
}

/** The fix that an address must name to lead here; `null` where the tape opens with it anyway. */
export function fixToName({ draft, parked }: Fixes, isOneNamed: boolean): Fix | null {
  const isOneOfSeveral = isOneNamed || Object.keys(parked).length > 0;
  return isOneOfSeveral && isWorthKeeping(draft) ? draft.fix : null;
}

export function reduceFixes(fixes: Fixes, event: FixEvent): Fixes {
  switch (event.type) {
    case "fix.opened":
      return opened(fixes, fixes.parked[event.fix] ?? emptyFix(fixes, event.fix));
    case "fix.begun": {
      const { fix, operations, stepCount } = event;
      const begun = emptyFix(fixes, fix);
      if (operations.length === 0) return opened(fixes, begun);
      const appliedCount = operations.length;
      const save = "unsaved";
      return opened(fixes, { ...begun, operations, appliedCount, baseStepCount: stepCount, save });
    }
    case "fix.restored":
      // The server has none of it any more: it is stored as a new one.
      return opened(fixes, { ...event.draft, version: 0, save: "unsaved", problem: "" });
    case "fix.removed":
      return removed(fixes, event.fix);
    case "fixes.told":
      return told(fixes, event.drafts);
  }
}

function emptyFix({ draft }: Fixes, fix: Fix): Draft {
  return { ...EMPTY_DRAFT, fix, others: draft.others };
}

/** It changes something, is named or was: else nobody misses it. */
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

function told(fixes: Fixes, drafts: readonly Draft[]): Fixes {
  const versionOf = (fix: Fix) => drafts.find((one) => one.fix === fix)?.version ?? null;
  // What is gone from the server is gone; an answer that is older than a save is not heard.
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
