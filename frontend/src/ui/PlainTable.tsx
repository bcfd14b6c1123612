/** A table of a few rows, all of them drawn; use `DataTable` for any length. */
import type { ComponentProps } from "react";

import classes from "@/ui/PlainTable.module.css";

interface PlainTableProps extends ComponentProps<"table"> {
  /** As wide as its container, or only as wide as its text, which then stays on one line. */
  fit?: "place" | "words";
  /** Where its ends align: with the lines of a section, or with the edges of the page. */
  ends?: "section" | "page";
}

/**
 * Cells with `data-align="end"` hold numbers. Those with `data-hide` are hidden where there is
 * little room, and those with `data-hide="phone"` where there is hardly any. A table that is wider
 * than its container scrolls in it.
 */
export function PlainTable({ fit = "place", ends = "section", ...table }: PlainTableProps) {
  return (
    <div className={classes.place} data-fit={fit} data-ends={ends}>
      <table className={classes.table} {...table} />
    </div>
  );
}
