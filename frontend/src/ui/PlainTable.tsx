/** A table of a few rows, drawn as it is; one of any length is a `DataTable`. */
import type { ComponentProps } from "react";

import classes from "@/ui/PlainTable.module.css";

interface PlainTableProps extends ComponentProps<"table"> {
  /** As wide as its place, or only as wide as its words, which then stay on one line. */
  fit?: "place" | "words";
  /** Where its ends stand: on the lines of a section, or at the edges of the page. */
  ends?: "section" | "page";
}

/**
 * Cells with `data-align="end"` hold numbers. Those with `data-hide` go where there is little room,
 * and those with `data-hide="phone"` where there is hardly any.
 * A table that is wider than its place scrolls in it.
 */
export function PlainTable({ fit = "place", ends = "section", ...table }: PlainTableProps) {
  return (
    <div className={classes.place} data-fit={fit} data-ends={ends}>
      <table className={classes.table} {...table} />
    </div>
  );
}
