/** Text of tapes made safe to draw: characters that hide or reorder others become visible. */

/* eslint-disable no-control-regex -- control characters are what this is about */
// Control characters, marks and changes of direction, zero-width and invisible characters, and lone
// surrogates, which no text has: with `u` the range matches only unpaired ones.
const HIDDEN =
  /[\u{0}-\u{8}\u{b}-\u{1f}\u{7f}-\u{9f}\u{ad}\u{61c}\u{180e}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{d800}-\u{dfff}\u{e0000}-\u{e007f}]/gu;
// Terminal escape sequences for colors and cursor movement (ECMA-48, 5.4): they contain no text.
const TERMINAL_CODES = /\u{1b}\[[0-?]*[ -/]*[@-~]/gu;
/* eslint-enable no-control-regex */

export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code === 0x0d) return "";
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}

/** A description from code in plain words: names in it have backticks around them there. */
export function describedText(text: string): string {
  return visibleText(text).replaceAll("`", "");
}

/** The text that a terminal would show, without its colors. */
export function withoutTerminalCodes(text: string): string {
  return text.includes("\u001b[") ? text.replace(TERMINAL_CODES, "") : text;
}

/** The first characters of a text, never half of a surrogate pair. */
export function cutText(text: string, length: number): string {
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return text.slice(0, isHalf && length < text.length ? length - 1 : length);
}

export interface Folded {
  text: string;
  lineCount: number;
  isFolded: boolean;
}

const LINE_END = "\n";

/** The beginning of a text: at most `lines` lines and `characters` characters. */
export function foldText(text: string, lines: number, characters: number): Folded {
  const lineCount = countLines(text);
  const byLines = lineCount > lines ? endOfLine(text, lines) : text.length;
  const end = Math.min(byLines, characters);
  return { text: cutText(text, end), lineCount, isFolded: end < text.length };
}

export function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf(LINE_END); at >= 0; at = text.indexOf(LINE_END, at + 1)) count += 1;
  return count;
}

function endOfLine(text: string, lines: number): number {
  let at = -1;
  for (let line = 0; line < lines; line += 1) at = text.indexOf(LINE_END, at + 1);
  return at;
}
