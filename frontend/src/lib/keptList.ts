/** A short list kept in this browser, newest first; without storage it does not persist. */
import * as v from "valibot";

export interface KeptList<Item> {
  read: () => Item[];
  /** Put an item first and drop those that it replaces; `null` only drops. */
  put: (item: Item | null, isReplaced: (other: Item) => boolean) => void;
}

/** The list under `key`, of at most `most` items; unreadable data counts as empty. */
export function keptList<Item>(
  key: string,
  item: v.GenericSchema<unknown, Item>,
  most: number,
): KeptList<Item> {
  const schema = v.array(item);
  const read = (): Item[] => {
    try {
      const stored = v.safeParse(schema, JSON.parse(window.localStorage.getItem(key) ?? "[]"));
      return stored.success ? stored.output : [];
    } catch {
      return [];
    }
  };
  const put: KeptList<Item>["put"] = (first, isReplaced) => {
    const others = read().filter((other) => !isReplaced(other));
    const all = first === null ? others : [first, ...others];
    try {
      window.localStorage.setItem(key, JSON.stringify(all.slice(0, most)));
    } catch {
      // Storage is full or forbidden: the choice lasts for this visit.
    }
  };
  return { read, put };
}
