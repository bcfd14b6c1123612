/** The choices for an item of a rubric, and their keys: 0-9, as far as the digits reach. */
import type { AnswerValue, RubricItem } from "@/api/types";
import { visibleText } from "@/lib/visibleText";

export interface Choice {
  value: AnswerValue;
  word: string;
  /** "0" to "9"; `null` for choices beyond the digits. */
  digit: string | null;
}

export type Values = Readonly<Record<string, AnswerValue>>;

export function choicesOf(item: RubricItem): Choice[] {
  switch (item.kind) {
    case "binary":
      return [
        { value: true, word: "Yes", digit: "1" },
        { value: false, word: "No", digit: "0" },
      ];
    case "scale":
      return Array.from({ length: item.maximum - item.minimum + 1 }, (_, step) => {
        const value = item.minimum + step;
        return { value, word: String(value), digit: value >= 0 && value <= 9 ? `${value}` : null };
      });
    case "choice":
      return item.options.map((option, at) => ({
        value: option,
        word: option,
        digit: digitOf(at),
      }));
    case "preference":
      return [
        { value: "left", word: "Left", digit: "1" },
        { value: "right", word: "Right", digit: "2" },
        { value: "tie", word: "Tie", digit: "3" },
      ];
    case "text":
      return [];
  }
}

/** The possible answers, in words. */
export function describeChoices(item: RubricItem): string {
  if (item.kind === "text") return "any text";
  if (item.kind === "scale") return `${item.minimum} to ${item.maximum}`;
  return choicesOf(item)
    .map(({ word }) => visibleText(word))
    .join(", ");
}

/** Options count from 1; the tenth has the key 0. */
function digitOf(at: number): string | null {
  return at < 10 ? String((at + 1) % 10) : null;
}

/** Set the answer to an item; choosing the current answer of an optional item again clears it. */
export function withValue(values: Values, item: RubricItem, value: AnswerValue): Values {
  if (!item.is_required && item.kind !== "text" && values[item.key] === value) {
    return Object.fromEntries(Object.entries(values).filter(([key]) => key !== item.key));
  }
  return { ...values, [item.key]: value };
}

/** The first required item without an answer. */
export function firstMissing(items: readonly RubricItem[], values: Values): RubricItem | undefined {
  return items.find(({ key, is_required }) => {
    const value = values[key];
    const isEmpty = value === undefined || value === null || String(value).trim() === "";
    return is_required && isEmpty;
  });
}

/** Values from the server, without those that no item of a rubric can have. */
export function readValues(given: Readonly<Record<string, unknown>>): Values {
  const found: Record<string, AnswerValue> = {};
  for (const [key, value] of Object.entries(given)) {
    if (typeof value === "boolean" || typeof value === "number" || typeof value === "string") {
      found[key] = value;
    }
  }
  return found;
}
