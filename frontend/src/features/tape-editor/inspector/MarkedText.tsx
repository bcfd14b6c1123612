import { useEffect, useRef } from "react";

import classes from "@/features/tape-editor/inspector/inspector.module.css";
import {
  cutAtMarks,
  type TextMark,
  type TextPiece,
} from "@/features/tape-editor/inspector/outputParts";
import { formatBytes } from "@/lib/format";
import { cutText, visibleText } from "@/lib/visibleText";

const MOST = 60_000;

/** A text as received, with marks on the pieces that became steps or could not be parsed. */
export function MarkedText({ text, marks }: { text: string; marks: readonly TextMark[] }) {
  const problem = useRef<HTMLElement>(null);
  const hasProblem = marks.some(({ isProblem }) => isProblem);
  useEffect(() => {
    if (hasProblem) problem.current?.scrollIntoView({ block: "nearest" });
  }, [hasProblem, text]);
  return (
    <pre className="ts-words" dir="auto">
      {firstPieces(cutAtMarks(text, marks), MOST).map((piece, at) => {
        const shown = visibleText(piece.text);
        if (piece.mark === null) return shown;
        if (piece.mark.isProblem) {
          return (
            <mark key={at} ref={problem} className={classes.problem}>
              {shown === "" ? "␀" : shown}
            </mark>
          );
        }
        return (
          <mark key={at} className={classes.piece} title={titleOf(piece.mark)}>
            {shown}
          </mark>
        );
      })}
      {text.length > MOST && `\n… ${formatBytes(text.length - MOST)} more; see Raw answer`}
    </pre>
  );
}

/** The leading pieces with at most `most` characters of text. */
function firstPieces(pieces: readonly TextPiece[], most: number): TextPiece[] {
  const kept: TextPiece[] = [];
  let left = most;
  for (const piece of pieces) {
    if (left <= 0) break;
    kept.push({ ...piece, text: cutText(piece.text, left) });
    left -= piece.text.length;
  }
  return kept;
}

function titleOf({ positions }: TextMark): string {
  return positions.length === 0 ? "Did not become a step" : `Became step ${positions.join(", ")}`;
}
