/** Where two short texts differ, cut at whole words: for one line, not for a page. */

import { cutText } from "@/lib/visibleText";

export interface TextDifference {
  /** The common beginning. */
  start: string;
  /** The middle that only one text has, and the middle that only the other has. */
  one: string;
  other: string;
  /** The common end. */
  end: string;
}

/** Keeps numbers with their decimal points, and surrogate pairs, together. */
const IN_WORD = /[\p{L}\p{N}_.,$%\ud800-\udfff-]/u;
const HALF = /[\ud800-\udfff]/;

export function differenceOf(one: string, other: string): TextDifference {
  const start = countAlike(one, other);
  const shortest = Math.min(one.length, other.length) - start;
  let end = 0;
  while (end < shortest && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  while (end > 0 && cutsWord(one, one.length - end, other, other.length - end)) end -= 1;
  return {
    start: one.slice(0, start),
    one: one.slice(start, one.length - end),
    other: other.slice(start, other.length - end),
    end: one.slice(one.length - end),
  };
}

function countAlike(one: string, other: string): number {
  let count = 0;
  while (count < Math.min(one.length, other.length) && one[count] === other[count]) count += 1;
  while (count > 0 && cutsWord(one, count, other, count)) count -= 1;
  return count;
}

/** Whether a position is inside a word of either text. */
function cutsWord(one: string, at: number, other: string, otherAt: number): boolean {
  return isInside(one, at) || isInside(other, otherAt);
}

function isInside(text: string, at: number): boolean {
  return isOfWord(text[at - 1]) && isOfWord(text[at]);
}

function isOfWord(character: string | undefined): boolean {
  return character !== undefined && (HALF.test(character) || IN_WORD.test(character));
}

/** A text on one line; of a longer one only the first, or the last, `length` characters. */
export function clipEnd(text: string, length: number): string {
  const line = onOneLine(text);
  return line.length <= length ? line : `${cutText(line, length - 1)}…`;
}

export function clipStart(text: string, length: number): string {
  const line = onOneLine(text);
  // Never starts with the second half of a surrogate pair.
  return line.length <= length
    ? line
    : `…${line.slice(1 - length).replace(/^[\udc00-\udfff]/, "")}`;
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}
