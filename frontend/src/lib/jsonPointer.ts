/** JSON pointers (RFC 6901): naming a place inside a JSON value. */
import { isObject } from "@/lib/json";

export function writePointer(names: readonly (string | number)[]): string {
  return names
    .map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

/** What a pointer names; `undefined` where nothing is. */
export function findValue(value: unknown, pointer: string): unknown {
  if (pointer === "") return value;
  let found = value;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(found)) found = found[Number(name)];
    else if (isObject(found) && Object.hasOwn(found, name)) found = found[name];
    else return undefined;
  }
  return found;
}
