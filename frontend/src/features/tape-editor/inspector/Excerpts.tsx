import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { findExcerpts } from "@/features/tape-editor/inspector/excerpts";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

interface ExcerptsProps {
  text: string;
  search: string;
  onWhole: () => void;
}

/** The matches of a search in a text, each with a little context. */
export function Excerpts({ text, search, onWhole }: ExcerptsProps) {
  const { excerpts, more } = findExcerpts(text, search);
  return (
    <div className={classes.excerpts}>
      {excerpts.map(({ before, found, after }, at) => (
        <p key={at}>
          {visibleText(before)}
          <mark>{visibleText(found)}</mark>
          {visibleText(after)}
        </p>
      ))}
      <button type="button" className={classes.more} onClick={onWhole}>
        {more > 0 ? `${countOf(more, "more place")}, show the message` : "Show the message"}
      </button>
    </div>
  );
}
