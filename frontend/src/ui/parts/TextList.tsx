import classes from "@/ui/parts/parts.module.css";
import { PlainText } from "@/ui/parts/PlainText";
import { ShowMore, useVisibleRows } from "@/ui/parts/ShowMore";

interface TextListProps {
  slot: string;
  items: readonly string[];
  /** The order matters, as in a plan. */
  isOrdered: boolean;
}

export function TextList({ slot, items, isOrdered }: TextListProps) {
  const rows = useVisibleRows(slot, items.length);
  const Drawn = isOrdered ? "ol" : "ul";
  return (
    <>
      <Drawn className={classes.list}>
        {items.slice(0, rows.shown).map((item, at) => (
          <li key={at}>
            <PlainText slot={`${slot}/${at}`} text={item} />
          </li>
        ))}
      </Drawn>
      <ShowMore rows={rows} noun="item" />
    </>
  );
}
