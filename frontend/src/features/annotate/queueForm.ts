/** The form of a new queue: its fields, and the rubrics to choose from. */
import type { QueueIn, RubricPreset, StoredRubric } from "@/api/types";

export const EMPTY_QUEUE: QueueIn = {
  name: "",
  rubric_id: null,
  preset: "",
  mode: "single",
  annotators_per_item: 1,
  audit_percent: null,
  lock_minutes: 30,
  people: [],
  targets: [],
  batch_id: null,
};

/** The default rubric of a new queue: what most people want to know first. */
export const FIRST_OFFER = "Pass or fail";

export const NEW_QUEUE: QueueIn = { ...EMPTY_QUEUE, preset: FIRST_OFFER };

const USUAL_AUDIT_PERCENT = 10;

/** The default share of audited items; zero for a person alone, who could never finish one. */
export function usualAudit(queue: QueueIn, writers: number): number {
  const people = (queue.people ?? []).length || writers;
  return queue.annotators_per_item === 1 && people > 1 ? USUAL_AUDIT_PERCENT : 0;
}

export interface RubricChoice {
  /** The id of a rubric, or `preset:` with the name of a preset. */
  value: string;
  label: string;
  isPairwise: boolean;
}

const PRESET = "preset:";

/** The project's rubrics, and the presets without a project rubric of the same name. */
export function rubricChoices(
  rubrics: readonly StoredRubric[],
  presets: readonly RubricPreset[],
): RubricChoice[] {
  const names = new Set(rubrics.map(({ name }) => name));
  return [
    ...rubrics.map(({ id, name, rubric }) => ({
      value: id,
      label: name,
      isPairwise: asksPreference(rubric),
    })),
    ...presets
      .filter(({ name }) => !names.has(name))
      .map(({ name, rubric }) => ({
        value: `${PRESET}${name}`,
        label: `${name} (preset)`,
        isPairwise: asksPreference(rubric),
      })),
  ];
}

function asksPreference({ items }: StoredRubric["rubric"]): boolean {
  return items.some(({ kind }) => kind === "preference");
}

/** The rubric of a queue, among the choices: a project rubric replaces the preset of its name. */
export function chosenRubric(queue: QueueIn, choices: readonly RubricChoice[]): string | null {
  const named = queue.rubric_id ?? `${PRESET}${queue.preset}`;
  const found = choices.find(
    ({ value, label }) => value === named || (queue.rubric_id === null && label === queue.preset),
  );
  return found?.value ?? null;
}

/** The parts of a new queue that name its rubric. */
export function namedRubric({ value, isPairwise }: RubricChoice) {
  const mode = isPairwise ? ("pairwise" as const) : ("single" as const);
  return value.startsWith(PRESET)
    ? { preset: value.slice(PRESET.length), rubric_id: null, mode }
    : { preset: "", rubric_id: value, mode };
}
