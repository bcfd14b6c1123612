/** JSON pointers (RFC 6901): naming a place inside a JSON value. */
import { isObject } from "@/lib/json";

export function writePointer(names: readonly (string | number)[]): string {
  return names
    .map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

function readPointer(pointer: string): string[] {
  const parts = pointer.split("/").slice(1);
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value at a pointer; `undefined` if there is none. */
export function findValue(value: unknown, pointer: string): unknown {
  let found = value;
  for (const name of readPointer(pointer)) {
    if (Array.isArray(found)) found = found[Number(name)];
    else if (isObject(found) && Object.hasOwn(found, name)) found = found[name];
    else return undefined;
  }
  return found;
}

/** Return a copy of the value with an existing place replaced; the rest is shared. */
export function replaceValue(value: unknown, pointer: string, now: unknown): unknown {
  return replaceIn(value, readPointer(pointer), now);
}

function replaceIn(value: unknown, [name, ...rest]: readonly string[], now: unknown): unknown {
  if (name === undefined) return now;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.map((item, at) => (at === Number(name) ? replaceIn(item, rest, now) : item));
  }
  return isObject(value) ? { ...value, [name]: replaceIn(value[name], rest, now) } : value;
}
