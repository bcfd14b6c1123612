/** What is offered as one types a variable of a prompt text, and how it gets into the text. */
import type { TextVariable } from "@/api/agentDrafts";

export interface Offer {
  /** Where in the text what was typed of the name begins. */
  start: number;
  options: readonly TextVariable[];
}

const NAME = /\{\{[ \t]*([\w.-]*)$/;
const FILTER = /\{\{[ \t]*[\w.-]+[ \t]*\|[ \t]*(\w*)$/;
const MOST = 50;

/** `null` where no variable is being typed, or none fits. */
export function offerAt(
  text: string,
  caret: number,
  variables: readonly TextVariable[],
  filters: readonly TextVariable[],
): Offer | null {
  const before = text.slice(0, caret);
  const name = NAME.exec(before)?.[1];
  const typed = name ?? FILTER.exec(before)?.[1];
  if (typed === undefined) return null;
  const known = name === undefined ? filters : variables;
  const options = fitting(known, typed.toLowerCase()).slice(0, MOST);
  return options.length === 0 ? null : { start: caret - typed.length, options };
}

/** Those in which a word begins so, the first word first; a complete name needs no offer. */
function fitting(known: readonly TextVariable[], typed: string): TextVariable[] {
  const isFirst = ({ name }: TextVariable) => name.toLowerCase().startsWith(typed);
  const isLater = ({ name }: TextVariable) =>
    [".", "_"].some((mark) => name.toLowerCase().includes(`${mark}${typed}`));
  const found = known.filter((one) => isFirst(one) || isLater(one));
  if (found.length === 1 && found[0]?.name.toLowerCase() === typed) return [];
  return [...found.filter(isFirst), ...found.filter((one) => !isFirst(one))];
}

/** The text with a name in the place of what was typed of it, and the caret after it. */
export function takeOffer(text: string, caret: number, { start }: Offer, name: string) {
  const rest = text.slice(caret).replace(/^[\w.-]+/, "");
  const isClosed = /^[ \t]*(\||\}\})/.test(rest);
  const space = text[start - 1] === "{" ? " " : "";
  const before = `${text.slice(0, start)}${space}${name}${isClosed ? "" : " }}"}`;
  return { text: before + rest, caret: before.length };
}
