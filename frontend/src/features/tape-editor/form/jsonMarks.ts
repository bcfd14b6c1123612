/** Where a JSON text is wrong: what cannot be parsed, and what its schema rejects. */
import { jsonParseLinter } from "@codemirror/lang-json";
import { syntaxTree } from "@codemirror/language";
import type { Diagnostic } from "@codemirror/lint";
import type { EditorState } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";

import { splitPointer } from "@/features/tape-editor/form/pointers";
import type { Problems } from "@/features/tape-editor/form/problems";

const findParseError = jsonParseLinter();

export function marksOf(view: EditorView, problems: Problems): Diagnostic[] {
  if (view.state.doc.toString().trim() === "") return [];
  const unreadable = findParseError(view);
  if (unreadable.length > 0) return unreadable;
  return [...problems].map(([pointer, message]) => ({
    ...placeOf(view.state, splitPointer(pointer)),
    severity: "error",
    message,
  }));
}

interface Place {
  from: number;
  to: number;
}

type Node = ReturnType<typeof syntaxTree>["topNode"];

/** The position of the value at a path; if it is missing, of its nearest ancestor. */
export function placeOf(state: EditorState, path: readonly string[]): Place {
  let node = syntaxTree(state).topNode.firstChild;
  let place: Place = { from: 0, to: Math.min(1, state.doc.length) };
  for (const key of path) {
    const found = node === null ? null : childOf(state, node, key);
    if (found === null) break;
    node = found.value;
    place = { from: found.mark.from, to: found.mark.to };
  }
  return place;
}

/** The value of a key, and what to mark for it: marking a complete object would be too much. */
function childOf(state: EditorState, node: Node, key: string): { value: Node; mark: Node } | null {
  const children = inside(node);
  if (node.name === "Array") {
    const value = children[Number(key)];
    return value === undefined
      ? null
      : { value, mark: isLarge(value) ? (value.firstChild ?? value) : value };
  }
  for (const property of children) {
    const name = property.getChild("PropertyName");
    const value = property.lastChild;
    if (name === null || value === null || nameOf(state, name) !== key) continue;
    return { value, mark: isLarge(value) ? name : value };
  }
  return null;
}

function inside(node: Node): Node[] {
  const found: Node[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (/^\w/.test(child.name)) found.push(child);
  }
  return found;
}

function isLarge({ name }: Node): boolean {
  return name === "Object" || name === "Array";
}

function nameOf(state: EditorState, node: Node): unknown {
  try {
    return JSON.parse(state.sliceDoc(node.from, node.to));
  } catch {
    return undefined;
  }
}
