/** What the improver answers, as its step says it: nothing of it is certain. */
import { isObject, isSameJson, type JsonObject } from "@/lib/json";
import type { Field } from "@/ui/fields/field";

export interface Revision {
  /** Of the rewritten step in the improved tape. */
  position: number;
  was: JsonObject;
  now: JsonObject;
}

const KIND = "improver_revision";

/** The revision in the body of a step; `null` if it is something else. */
export function readRevision(body: JsonObject): Revision | null {
  const { kind, position, was, steps } = body;
  const now: unknown = Array.isArray(steps) ? steps.at(-1) : undefined;
  if (kind !== KIND || typeof position !== "number" || !isObject(was) || !isObject(now)) {
    return null;
  }
  return { position, was, now };
}

/** The fields in which the rewritten step differs. */
export function changedFields({ was, now }: Revision): Field[] {
  const names = [...new Set([...Object.keys(was), ...Object.keys(now)])];
  return names
    .filter((name) => !isSameJson(was[name], now[name]))
    .map((name) => ({
      path: name,
      op: opOf(was, now, name),
      old: was[name],
      new: now[name],
      words: null,
    }));
}

function opOf(was: JsonObject, now: JsonObject, name: string): Field["op"] {
  if (!Object.hasOwn(was, name)) return "added";
  return Object.hasOwn(now, name) ? "changed" : "removed";
}

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The id of the tape that a context names as improved; `null` without one. */
export function improvedIn(context: unknown): string | null {
  const id = isObject(context) && Object.hasOwn(context, "improves") ? context["improves"] : null;
  return typeof id === "string" && ID.test(id) ? id : null;
}
