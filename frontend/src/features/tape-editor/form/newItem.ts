/** The value of a new list item. */
import { blankValue, type Schema, type Shape } from "@/features/tape-editor/form/schema";
import { isObject } from "@/lib/json";

type ListShape = Extract<Shape, { type: "list" }>;

export function newItem(root: Schema, shape: ListShape, items: readonly unknown[]): unknown {
  const schema = shape.itemSchemas[items.length] ?? shape.items;
  return Object.keys(schema).length === 0 ? likeLast(items) : blankValue(root, schema);
}

/** Without a schema for the items, a new item is of the same type as the last. */
function likeLast(items: readonly unknown[]): unknown {
  const last = items.at(-1);
  if (typeof last === "number") return 0;
  if (typeof last === "boolean") return false;
  if (Array.isArray(last)) return [];
  return isObject(last) ? Object.fromEntries(Object.keys(last).map((name) => [name, ""])) : "";
}
