/** Which pieces of an answer are marked in its text, and which steps were made from none. */
import type { ParsedOutput } from "@/api/types";

export interface TextMark {
  /** In code points; the end is exclusive. */
  start: number;
  end: number;
  positions: readonly number[];
  isProblem: boolean;
}

export function marksOf({ parts, problem }: ParsedOutput): TextMark[] {
  if (problem?.part === "content" && problem.start !== null && problem.end !== null) {
    return [{ start: problem.start, end: problem.end, positions: [], isProblem: true }];
  }
  return parts.flatMap(({ part, start, end, positions }) =>
    part === "content" && start !== null && end !== null
      ? [{ start, end, positions, isProblem: false }]
      : [],
  );
}

/** Steps of the call that no piece of the answer became: the node added them. */
export function leftOver({ positions, parts }: ParsedOutput): number[] {
  const made = new Set(parts.flatMap((part) => part.positions));
  return parts.length === 0 ? [] : positions.filter((position) => !made.has(position));
}

export interface TextPiece {
  text: string;
  mark: TextMark | null;
}

/** Splits a text at its marks, which are in order and do not overlap. */
export function cutAtMarks(text: string, marks: readonly TextMark[]): TextPiece[] {
  const characters = marks.length === 0 ? [] : Array.from(text);
  if (marks.length === 0) return text === "" ? [] : [{ text, mark: null }];
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const mark of marks) {
    if (mark.start > at)
      pieces.push({ text: characters.slice(at, mark.start).join(""), mark: null });
    pieces.push({ text: characters.slice(mark.start, mark.end).join(""), mark });
    at = mark.end;
  }
  if (at < characters.length) pieces.push({ text: characters.slice(at).join(""), mark: null });
  return pieces;
}
