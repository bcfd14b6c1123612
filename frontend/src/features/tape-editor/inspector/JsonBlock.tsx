/** A JSON value under its name: a tree, or its source where texts are shown raw. */
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { isObject } from "@/lib/json";
import { prettyJson } from "@/lib/valueShapes";
import { visibleText } from "@/lib/visibleText";
import { useTextLook } from "@/ui/parts/folds";
import { JsonTree } from "@/ui/parts/JsonTree";
import { PlainText } from "@/ui/parts/PlainText";

interface JsonBlockProps {
  slot: string;
  label: string;
  value: unknown;
}

export function JsonBlock({ slot, label, value }: JsonBlockProps) {
  const { isRendered } = useTextLook();
  return (
    <section className={classes.block}>
      <h2 className={`ts-caption ${classes.blockName}`}>{visibleText(label)}</h2>
      {isRendered && (isObject(value) || Array.isArray(value)) ? (
        <JsonTree slot={slot} value={value} />
      ) : (
        <PlainText slot={slot} text={prettyJson(value)} isMono />
      )}
    </section>
  );
}
