/** Values inside a step by JSON pointer (RFC 6901), also inside JSON that is stored as text. */
import { isObject, isSameJson } from "@/lib/json";

export function joinPointer(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

export function splitPointer(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function valueAt(value: unknown, pointer: string): unknown {
  return splitPointer(pointer).reduce<unknown>(childOf, value);
}

/** Returns `value` with `next` at the pointer; `undefined` removes what is there.
 *
 * `before` is the complete recorded value: JSON stored as text gets its recorded spelling back when
 * it means the same again.
 */
export function withValueAt(
  value: unknown,
  pointer: string,
  next: unknown,
  before: unknown,
): unknown {
  const text = valueAt(value, pointer);
  const isText = typeof text === "string" && ARGUMENTS.test(pointer) && isObject(next);
  const put = isText ? textOf(next, valueAt(before, pointer)) : next;
  return replaceIn(value, splitPointer(pointer), put, before);
}

/** Tool call arguments that are stored as text are shown parsed, and stay text. */
const ARGUMENTS = /\/arguments$/;

function replaceIn(value: unknown, path: string[], next: unknown, before: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return next;
  if (typeof value === "string") return replaceInText(value, path, next, before);
  const child = replaceIn(childOf(value, key), rest, next, childOf(before, key));
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    return child === undefined ? list.toSpliced(Number(key), 1) : list.with(Number(key), child);
  }
  const held = isObject(value) ? value : {};
  if (child !== undefined) return { ...held, [key]: child };
  return Object.fromEntries(Object.entries(held).filter(([name]) => name !== key));
}

function replaceInText(text: string, path: string[], next: unknown, before: unknown): unknown {
  const recorded = typeof before === "string" ? parseText(before) : undefined;
  return textOf(replaceIn(parseText(text) ?? {}, path, next, recorded), before);
}

function textOf(value: unknown, before: unknown): unknown {
  const recorded = typeof before === "string" ? parseText(before) : undefined;
  return isSameJson(value, recorded) ? before : JSON.stringify(value);
}

function childOf(value: unknown, key: string): unknown {
  if (typeof value === "string") return childOf(parseText(value) ?? null, key);
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The object in a JSON text; `undefined` if it holds none. */
export function parseText(text: string): Record<string, unknown> | undefined {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
