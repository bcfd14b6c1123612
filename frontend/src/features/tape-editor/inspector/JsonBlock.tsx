import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { prettyJson } from "@/lib/valueShapes";
import { visibleText } from "@/lib/visibleText";
import { PlainText } from "@/ui/parts/PlainText";

interface JsonBlockProps {
  slot: string;
  label: string;
  value: unknown;
}

export function JsonBlock({ slot, label, value }: JsonBlockProps) {
  return (
    <section className={classes.block}>
      <h2 className={`ts-caption ${classes.blockName}`}>{visibleText(label)}</h2>
      <PlainText slot={slot} text={prettyJson(value)} isMono />
    </section>
  );
}
