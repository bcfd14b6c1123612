/** A draft that the page had no time to send: kept in this browser until it is opened again. */
import * as v from "valibot";

import type { DraftIn, Fix } from "@/api/types";
import { FIXES, type Operation, parseOperations } from "@/features/tape-editor/draft";

const unsent = v.object({
  fix: v.optional(v.picklist(FIXES), "A"),
  name: v.optional(v.string(), ""),
  version: v.number(),
  operations: v.array(v.unknown()),
  applied_count: v.number(),
  base_step_count: v.optional(v.nullable(v.number()), null),
});

export interface Unsent {
  fix: Fix;
  name: string;
  version: number;
  operations: Operation[];
  applied_count: number;
  base_step_count: number | null;
}

const keyOf = (tapeId: string) => `draft.${tapeId}`;

/** Returns whether the browser stored it: its storage is limited. */
export function keepUnsent(tapeId: string, draft: DraftIn & { fix: Fix }): boolean {
  try {
    window.localStorage.setItem(keyOf(tapeId), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function dropUnsent(tapeId: string): void {
  window.localStorage.removeItem(keyOf(tapeId));
}

/** The stored draft, if there is a valid one. */
export function findUnsent(tapeId: string): Unsent | null {
  const text = window.localStorage.getItem(keyOf(tapeId));
  if (text === null) return null;
  try {
    const { operations, ...rest } = v.parse(unsent, JSON.parse(text));
    return { ...rest, operations: parseOperations(operations) };
  } catch {
    dropUnsent(tapeId);
    return null;
  }
}
