/** The form of a new finetune: changes to a preset, kept as text until they are sent. */
import type { FinetuneOptions } from "@/api/training";
import type { Finetune, FinetuneRequest } from "@/api/types";
import { isObject, type JsonObject } from "@/lib/json";

export type Preset = NonNullable<FinetuneRequest["preset"]>;

export const PRESETS: { value: Preset; label: string }[] = [
  { value: "tiny", label: "Tiny: a few million parameters, on a CPU" },
  { value: "tiny-full", label: "Tiny, all weights: best for the tiny base" },
  { value: "paper", label: "Paper: one epoch of LoRA" },
  { value: "8b", label: "8B: packed, on a GPU" },
  { value: "preference", label: "Preference pairs" },
];

/** The options with a field of their own; all others can be given as JSON. */
export const FIELDS = [
  { name: "epochs", label: "Epochs" },
  { name: "steps", label: "Steps" },
  { name: "learning_rate", label: "Learning rate" },
  { name: "rank", label: "Rank" },
  { name: "batch_size", label: "Batch size" },
  { name: "max_length", label: "Longest example" },
  { name: "evaluate_every", label: "Evaluate every" },
  { name: "seed", label: "Seed" },
];

const LORA = "lora";
const RANK = "rank";

/** Where the trainer's options have this field, as its refusals name it. */
export function placeOf(name: string): string {
  return name === RANK ? `${LORA}.${RANK}` : name;
}

/** Changes to a preset, as text. */
export interface OptionsDraft {
  preset: Preset;
  /** By field name; empty: the preset's value. */
  fields: Readonly<Record<string, string>>;
  /** All other options, as JSON. */
  other: string;
}

export interface FinetuneDraft extends OptionsDraft {
  name: string;
  setId: string | null;
  base: string;
}

export const EMPTY_FINETUNE: FinetuneDraft = {
  name: "",
  setId: null,
  base: "",
  preset: "tiny",
  fields: {},
  other: "",
};

/** A draft with the settings of an existing finetune. */
export function draftAfter(finetune: Finetune): FinetuneDraft {
  const lora = objectOf(finetune.options[LORA]);
  const asked: JsonObject = { ...finetune.options, [RANK]: lora[RANK] };
  const names = new Set(FIELDS.map(({ name }) => name));
  const numbers = [...names].flatMap((name) => {
    const value = asked[name];
    return typeof value === "number" ? [[name, String(value)] as const] : [];
  });
  const loraRest = without(lora, new Set([RANK]));
  const rest = {
    ...without(finetune.options, new Set([...names, LORA])),
    ...(Object.keys(loraRest).length > 0 && { [LORA]: loraRest }),
  };
  return {
    name: `${finetune.name} again`,
    setId: finetune.training_set_id,
    base: finetune.base,
    preset: PRESETS.find(({ value }) => value === finetune.preset)?.value ?? "tiny",
    fields: Object.fromEntries(numbers),
    other: Object.keys(rest).length > 0 ? JSON.stringify(rest, null, 2) : "",
  };
}

/** The request of a draft, or what is still missing from it. */
export function readDraft(
  draft: FinetuneDraft,
  options: FinetuneOptions,
): { request: FinetuneRequest } | { problem: string } {
  if (draft.name.trim() === "") return { problem: "Give it a name." };
  if (draft.setId === null) return { problem: "Choose a training set." };
  if (draft.base.trim() === "") return { problem: "Choose a base model." };
  const read = readOptions(draft, options);
  if ("problem" in read) return read;
  return {
    request: {
      name: draft.name.trim(),
      training_set_id: draft.setId,
      base: draft.base.trim(),
      preset: draft.preset,
      options: read.options,
    },
  };
}

/** The options of a draft in the API's format, or what is wrong with one. */
export function readOptions(
  draft: OptionsDraft,
  options: FinetuneOptions,
): { options: JsonObject } | { problem: string } {
  const other = readObject(draft.other);
  if (other === null) return { problem: "Other options must be a JSON object." };
  const numbers: JsonObject = {};
  for (const { name, label } of FIELDS) {
    const text = draft.fields[name]?.trim() ?? "";
    if (text === "") continue;
    if (!Number.isFinite(Number(text))) return { problem: `${label} must be a number.` };
    numbers[name] = Number(text);
  }
  const lora = {
    ...objectOf(other[LORA]),
    ...(numbers[RANK] !== undefined && { [RANK]: numbers[RANK] }),
  };
  const hasLora = Object.keys(lora).length > 0;
  return {
    options: {
      ...other,
      ...without(numbers, new Set([RANK])),
      // The trainer does not merge LoRA's options, so all of them are sent.
      ...(hasLora && { [LORA]: { ...objectOf(options.presets[draft.preset]?.[LORA]), ...lora } }),
    },
  };
}

/** The value that applies if the field is empty, in words. */
export function presetValue(name: string, preset: Preset, options: FinetuneOptions): string {
  const set = options.presets[preset] ?? {};
  const value =
    name === RANK
      ? (objectOf(set[LORA])[RANK] ?? objectOf(options.schema.properties[LORA]?.["default"])[RANK])
      : (set[name] ?? options.schema.properties[name]?.["default"]);
  return typeof value === "number" ? String(value) : "Automatic";
}

function without(object: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function readObject(text: string): JsonObject | null {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
