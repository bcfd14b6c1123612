/** Two texts in one: what was taken out and put in, word by word. */
import { visibleText } from "@/lib/visibleText";
import classes from "@/ui/WordDiff.module.css";

interface WordDiffProps {
  words: readonly { op: "equal" | "insert" | "delete"; text: string }[];
}

export function WordDiff({ words }: WordDiffProps) {
  return (
    <p className={classes.words}>
      {words.map(({ op, text }, at) => {
        if (op === "equal") return visibleText(text);
        return op === "delete" ? (
          <del key={at} className={classes.deleted}>
            {visibleText(text)}
          </del>
        ) : (
          <ins key={at} className={classes.added}>
            {visibleText(text)}
          </ins>
        );
      })}
    </p>
  );
}
