import classes from "@/features/tape-editor/cards/cards.module.css";
import { countOf } from "@/lib/format";

interface HiddenRowProps {
  from: number;
  /** The last hidden step. */
  to: number;
  count: number;
  onOpen: (from: number, to: number) => void;
}

/** A row in place of the steps that the chosen detail hides; a click shows them. */
export function HiddenRow({ from, to, count, onOpen }: HiddenRowProps) {
  return (
    <button
      type="button"
      className={`ts-hint ${classes.hidden}`}
      title={from === to ? `Step ${from}` : `Steps ${from} to ${to}`}
      onClick={() => onOpen(from, to)}
    >
      ═ {countOf(count, "hidden step")}
    </button>
  );
}
