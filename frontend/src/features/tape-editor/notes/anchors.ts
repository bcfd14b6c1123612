/** Maps a selection on the screen to a piece of a field's text, and back.
 *
 * A card does not draw the text as it is stored: hidden characters are made visible, Markdown is
 * rendered, long texts fold. So the selected words are searched for in the fields of the step.
 */
import type { Annotation } from "@/api/types";
import type { StepJson } from "@/features/tape-editor/draft";
import { codePointOf, sliceCodePoints, unitOf } from "@/lib/codePoints";
import { isObject, type JsonObject } from "@/lib/json";
import { findValue, replaceValue, writePointer } from "@/lib/jsonPointer";
import { visibleText } from "@/lib/visibleText";

/** A field of a step, or a piece of its text, in code points; the end is exclusive. */
export interface Anchor {
  field: string;
  start: number | null;
  end: number | null;
  /** Empty: the complete field. */
  quote: string;
}

export const LONGEST_FIELD = 300;
const MOST_TEXTS = 2000;
const QUOTED = 1000;
/** Longer texts are searched as they are stored: converting them to drawn text takes too long. */
const LONGEST_DRAWN = 300_000;

/** Finds selected words in a step. `nearField` is preferred; among several matches in a text, the
 * one closest to `nearUnit`, an offset in the drawn text. */
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

/** Where drawn words are in a text, in its own units; `null` if it does not contain them. */
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

/** A text as it is drawn, blanks collapsed, with the source offset of each of its units. */
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

/** Browsers return runs of blanks in a different form than stored. */
function blankAfter(drawn: string): string {
  return drawn.endsWith(" ") ? "" : " ";
}

function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** All texts of a step with their JSON pointers, breadth first. */
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

export type AnchorState = "there" | "changed" | "gone";

/** Whether the text that a note is about is still in a step as it is now. */
export function anchorState(note: Annotation, body: JsonObject | undefined): AnchorState {
  if (body === undefined || note.field === "") return "there";
  const value = findValue(body, note.field);
  if (value === undefined) return "gone";
  if (note.start === null || note.end === null) return "there";
  if (typeof value !== "string") return "gone";
  const now = sliceCodePoints(value, note.start, Math.min(note.end, note.start + QUOTED));
  return now === note.quote ? "there" : "changed";
}

/** The step with the correction applied; `null` if the text that it is about is not there. */
export function correctedStep(note: Annotation, body: StepJson | undefined): StepJson | null {
  if (body === undefined || note.start === null || note.end === null) return null;
  const value = findValue(body, note.field);
  if (typeof value !== "string" || anchorState(note, body) !== "there") return null;
  const text =
    value.slice(0, unitOf(value, note.start)) + note.text + value.slice(unitOf(value, note.end));
  const corrected = replaceValue(body, note.field, text);
  return isObject(corrected) ? { ...corrected, kind: body.kind } : null;
}
