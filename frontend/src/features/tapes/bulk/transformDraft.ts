/** The form of a transform as typed, and the transform that it describes. */
import type { Transform } from "@/api/types";

export type TransformKind = Transform["kind"];

export interface TransformDraft {
  kind: TransformKind;
  pattern: string;
  replacement: string;
  ignoreCase: boolean;
  pointer: string;
  stepKinds: readonly string[];
  /** JSON or plain text. */
  value: string;
  tool: string;
  newTool: string;
  /** Lines of "old = new". */
  names: string;
  custom: string;
  settings: string;
}

export const EMPTY_DRAFT: TransformDraft = {
  kind: "replace_text",
  pattern: "",
  replacement: "",
  ignoreCase: false,
  pointer: "",
  stepKinds: [],
  value: "",
  tool: "",
  newTool: "",
  names: "",
  custom: "",
  settings: "",
};

export type ReadDraft = { transform: Transform } | { problem: string };

/** Return the transform, or a sentence that states what is missing. */
export function readDraft(draft: TransformDraft): ReadDraft {
  const kinds = { step_kinds: [...draft.stepKinds] };
  const pointer = draft.pointer.trim();
  switch (draft.kind) {
    case "replace_text":
      if (draft.pattern === "") return { problem: "Enter what to look for." };
      return {
        transform: {
          kind: "replace_text",
          pattern: draft.pattern,
          replacement: draft.replacement,
          ignore_case: draft.ignoreCase,
          pointer,
          ...kinds,
        },
      };
    case "set_value":
      if (pointer === "") return { problem: "Enter the path of the value, such as /content." };
      return {
        transform: { kind: "set_value", pointer, value: readValue(draft.value), ...kinds },
      };
    case "drop_steps":
      if (draft.stepKinds.length === 0) return { problem: "Enter at least one kind of step." };
      return { transform: { kind: "drop_steps", ...kinds } };
    case "change_tool":
      return readToolChange(draft);
    case "custom":
      return readCustom(draft);
  }
}

function readToolChange(draft: TransformDraft): ReadDraft {
  const name = draft.tool.trim();
  if (name === "") return { problem: "Enter the tool." };
  const args: Record<string, string> = {};
  for (const line of draft.names.split("\n").filter((text) => text.trim() !== "")) {
    const [old, now, ...more] = line.split("=").map((part) => part.trim());
    if (old === undefined || old === "" || now === undefined || now === "" || more.length > 0) {
      return { problem: `Write “old = new”, not “${line.trim()}”.` };
    }
    args[old] = now;
  }
  const newName = draft.newTool.trim() === "" ? name : draft.newTool.trim();
  return { transform: { kind: "change_tool", name, new_name: newName, arguments: args } };
}

function readCustom(draft: TransformDraft): ReadDraft {
  if (draft.custom === "") return { problem: "Choose a transform." };
  const settings = draft.settings.trim() === "" ? {} : readValue(draft.settings);
  if (typeof settings !== "object" || settings === null || Array.isArray(settings)) {
    return { problem: 'Settings must be a JSON object, such as {"count": 2}.' };
  }
  return {
    transform: { kind: "custom", name: draft.custom, settings: { ...settings } },
  };
}

function readValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}
