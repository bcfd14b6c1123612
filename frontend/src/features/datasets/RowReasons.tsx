/** Why rows were skipped or incomplete: how many for each reason, and the first of them. */
import type { ExamplePreview } from "@/api/types";
import { countOf, formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

interface RowReasonsProps {
  title: string;
  reasons: ExamplePreview["left_out"];
}

export function RowReasons({ title, reasons }: RowReasonsProps) {
  if (reasons.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {reasons.map(({ why, count, first_row: first }) => (
          <li key={why} className="ts-number">
            {countOf(count, "row")}: {visibleText(why)} (first: row {formatExact(first)})
          </li>
        ))}
      </ul>
    </div>
  );
}
