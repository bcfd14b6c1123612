/** What a list is given when a person adds an item. */
import { blankValue, type Schema, type Shape } from "@/features/tape-editor/form/schema";
import { isObject } from "@/lib/json";

type ListShape = Extract<Shape, { type: "list" }>;

export function newItem(root: Schema, shape: ListShape, items: readonly unknown[]): unknown {
  const schema = shape.itemSchemas[items.length] ?? shape.items;
  return Object.keys(schema).length === 0 ? likeLast(items) : blankValue(root, schema);
}

/** Nothing is said of the items: a new one is of the sort of its neighbour. */
function likeLast(items: readonly unknown[]): unknown {
  const last = items.at(-1);
  if (typeof last === "number") return 0;
  if (typeof last === "boolean") return false;
  if (Array.isArray(last)) return [];
  return isObject(last) ? Object.fromEntries(Object.keys(last).map((name) => [name, ""])) : "";
}
