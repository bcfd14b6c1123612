/** What differs between two specs, field by field, for the dialog that saves a version. Pure. */
import { diffWordsWithSpace } from "diff";

import { isObject, isSameJson } from "@/lib/json";
import type { Field, Words } from "@/ui/fields/field";

export function diffSpecs(old: unknown, now: unknown): Field[] {
  const found: Field[] = [];
  collect(old, now, "", found);
  return found;
}

/** Comparing stops here: nobody reads more. */
const MOST = 200;

function collect(old: unknown, now: unknown, path: string, found: Field[]): void {
  if (found.length >= MOST || isSameJson(old, now)) return;
  const pairs = pairsOf(old, now);
  if (pairs === null) {
    found.push(fieldOf(old, now, path));
    return;
  }
  for (const [name, before, after] of pairs)
    collect(before, after, path === "" ? name : `${path}.${name}`, found);
}

/** The parts of two objects or lists; `null` for values that are compared as a whole. */
function pairsOf(old: unknown, now: unknown): [string, unknown, unknown][] | null {
  if (Array.isArray(old) && Array.isArray(now)) {
    if (!old.every(isObject) || !now.every(isObject)) return null;
    const length = Math.max(old.length, now.length);
    return Array.from({ length }, (_, at) => [String(at), old[at], now[at]]);
  }
  if (!isObject(old) || !isObject(now)) return null;
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names.map((name) => [name, old[name], now[name]]);
}

function fieldOf(old: unknown, now: unknown, path: string): Field {
  const op = old === undefined ? "added" : now === undefined ? "removed" : "changed";
  return { path: path === "" ? "agent" : path, op, old, new: now, words: wordsOf(old, now) };
}

/** The cost of a word diff is quadratic in what differs. */
const LONGEST = 20_000;

function wordsOf(old: unknown, now: unknown): Words[] | null {
  if (typeof old !== "string" || typeof now !== "string") return null;
  if (Math.max(old.length, now.length) > LONGEST) return null;
  const pieces = diffWordsWithSpace(old, now, { timeout: 50 });
  return (
    pieces?.map(({ value, added, removed }) => ({
      op: added ? "insert" : removed ? "delete" : "equal",
      text: value,
    })) ?? null
  );
}
