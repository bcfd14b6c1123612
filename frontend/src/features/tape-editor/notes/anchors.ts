/** From what a person selects on the screen to a piece of a field's text, and back.
 *
 * What a card draws is not the text as it is stored: hidden characters are made visible, Markdown
 * is rendered, long texts fold. So the selected words are looked for in the fields of the step.
 */
import type { Annotation } from "@/api/types";
import type { StepJson } from "@/features/tape-editor/draft";
import { codePointOf, sliceCodePoints, unitOf } from "@/lib/codePoints";
import { isObject, type JsonObject } from "@/lib/json";
import { findValue, replaceValue, writePointer } from "@/lib/jsonPointer";
import { visibleText } from "@/lib/visibleText";

/** A field of a step, or a piece of its text, in code points, the end exclusive. */
export interface Anchor {
  field: string;
  start: number | null;
  end: number | null;
  /** Empty: the field as a whole. */
  quote: string;
}

export const LONGEST_FIELD = 300;
const MOST_TEXTS = 2000;
const QUOTED = 1000;
/** Longer texts are searched as they are stored: drawing them takes too long. */
const LONGEST_DRAWN = 300_000;

/** Find selected words in a step. `nearField` is preferred; of several places in a text, the one
 * closest to `nearUnit`, a place in what is drawn of it. */
export function findSelection(
  body: JsonObject,
  selected: string,
  nearField = "",
  nearUnit = 0,
): Anchor | null {
  const words = selected.trim();
  if (words === "") return null;
  const fields = [...textsOf(body)].sort(
    ([one], [other]) => Number(isNear(other, nearField)) - Number(isNear(one, nearField)),
  );
  for (const [field, text] of fields) {
    const found = findWords(text, words, isNear(field, nearField) ? nearUnit : 0);
    if (found !== null) return anchorOf(field, text, ...found);
  }
  return null;
}

function isNear(field: string, nearField: string): boolean {
  return nearField !== "" && (field === nearField || field.startsWith(`${nearField}/`));
}

function anchorOf(field: string, text: string, from: number, to: number): Anchor {
  const start = codePointOf(text, from);
  const quote = text.slice(from, to);
  return { field, start, end: start + codePointOf(quote, quote.length), quote };
}

/** Where drawn words stand in a text, in its own units; `null` when they do not. */
export function findWords(
  text: string,
  words: string,
  near: number,
): readonly [from: number, to: number] | null {
  if (text.length > LONGEST_DRAWN) {
    const at = closest(text, words, near);
    return at < 0 ? null : [at, at + words.length];
  }
  const drawn = drawnText(text);
  const wanted = drawnText(words).text;
  if (wanted === "") return null;
  const first = closest(drawn.text, wanted, near);
  if (first < 0) return null;
  const from = drawn.units[first] ?? 0;
  const last = drawn.units[first + wanted.length - 1] ?? 0;
  return [from, last + widthAt(text, last)];
}

function closest(text: string, wanted: string, near: number): number {
  let best = -1;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (best < 0 || Math.abs(at - near) < Math.abs(best - near)) best = at;
    else break;
  }
  return best;
}

/** A text as it is drawn, blanks joined, and for each of its units the unit it comes from. */
function drawnText(text: string): { text: string; units: number[] } {
  let drawn = "";
  const units: number[] = [];
  for (let at = 0; at < text.length; at += widthAt(text, at)) {
    const character = text.slice(at, at + widthAt(text, at));
    const visible = /\s/u.test(character) ? blankAfter(drawn) : visibleText(character);
    for (let unit = 0; unit < visible.length; unit += 1) units.push(at);
    drawn += visible;
  }
  return { text: drawn, units };
}

/** The browser gives runs of blanks in other ways than they are stored. */
function blankAfter(drawn: string): string {
  return drawn.endsWith(" ") ? "" : " ";
}

function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** Every text of a step with its JSON pointer, in the order of the step. */
function* textsOf(body: JsonObject): Generator<readonly [pointer: string, text: string]> {
  const rest: { names: (string | number)[]; value: unknown }[] = [{ names: [], value: body }];
  let left = MOST_TEXTS;
  while (left > 0) {
    const next = rest.shift();
    if (next === undefined) return;
    const { names, value } = next;
    if (typeof value === "string") {
      left -= 1;
      const pointer = writePointer(names);
      if (pointer.length <= LONGEST_FIELD) yield [pointer, value];
    } else if (Array.isArray(value)) {
      rest.push(
        ...value
          .slice(0, left)
          .map((item: unknown, at) => ({ names: [...names, at], value: item })),
      );
    } else if (isObject(value)) {
      for (const [name, item] of Object.entries(value)) {
        if (names.length > 0 || name !== "metadata")
          rest.push({ names: [...names, name], value: item });
      }
    }
  }
}

export type Whereabouts = "there" | "changed" | "gone";

/** Whether the text that a note is about still stands in a step as it shows now. */
export function whereabouts(note: Annotation, body: JsonObject | undefined): Whereabouts {
  if (body === undefined || note.field === "") return "there";
  const value = findValue(body, note.field);
  if (value === undefined) return "gone";
  if (note.start === null || note.end === null) return "there";
  if (typeof value !== "string") return "gone";
  const now = sliceCodePoints(value, note.start, Math.min(note.end, note.start + QUOTED));
  return now === note.quote ? "there" : "changed";
}

/** The step as a correction wants it; `null` where the text that it is about does not stand. */
export function correctedStep(note: Annotation, body: StepJson | undefined): StepJson | null {
  if (body === undefined || note.start === null || note.end === null) return null;
  const value = findValue(body, note.field);
  if (typeof value !== "string" || whereabouts(note, body) !== "there") return null;
  const text =
    value.slice(0, unitOf(value, note.start)) + note.text + value.slice(unitOf(value, note.end));
  const corrected = replaceValue(body, note.field, text);
  return isObject(corrected) ? { ...corrected, kind: body.kind } : null;
}
