/** The part of a step in which the search found its words: plain text only. */
import type { TapeRow } from "@/api/types";
import classes from "@/features/tapes/query/query.module.css";
import { visibleText } from "@/lib/visibleText";

export function Snippet({ parts }: { parts: TapeRow["snippet"] }) {
  if (parts.length === 0) return null;
  return (
    <span className={`ts-truncate ${classes.snippet}`}>
      {parts.map(({ text, is_hit }, at) =>
        is_hit ? (
          <mark key={at}>{visibleText(text)}</mark>
        ) : (
          <span key={at}>{visibleText(text)}</span>
        ),
      )}
    </span>
  );
}
