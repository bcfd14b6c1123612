import { visibleText } from "@/lib/visibleText";
import classes from "@/ui/WordMark.module.css";

interface WordMarkProps {
  op: "insert" | "delete";
  text: string;
}

/** Text that was added or removed. */
export function WordMark({ op, text }: WordMarkProps) {
  return op === "delete" ? (
    <del className={classes.deleted}>{visibleText(text)}</del>
  ) : (
    <ins className={classes.added}>{visibleText(text)}</ins>
  );
}
