/** What the first rows of a file would become, and what would be lost from them. */
import type { ExamplePreview } from "@/api/types";
import classes from "@/features/datasets/datasets.module.css";
import { RowReasons } from "@/features/datasets/RowReasons";
import { countOf, formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PlainTable } from "@/ui/PlainTable";

export function ExampleTable({ preview }: { preview: ExamplePreview }) {
  const { rows, looked_at: seen, example_count: count } = preview;
  return (
    <>
      <p aria-live="polite" className="ts-number">
        Of the first {countOf(seen, "row")} {formatExact(count)} become examples.
      </p>
      <RowReasons title="Left out" reasons={preview.left_out} />
      <RowReasons title="Created, but not everything could be saved" reasons={preview.lost} />
      {rows.length > 0 && (
        <PlainTable aria-label="First examples">
          <thead>
            <tr>
              <th scope="col" data-align="end">
                Row
              </th>
              <th scope="col">Message</th>
              <th scope="col">Expected</th>
              <th scope="col" data-hide>
                Pass criterion
              </th>
              <th scope="col" data-hide>
                State
              </th>
              <th scope="col" data-hide title="The instruction that is planted into a run">
                Planted
              </th>
              <th scope="col" data-hide>
                Task
              </th>
              <th scope="col" data-hide>
                Split
              </th>
              <th scope="col" data-hide>
                Metadata
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.row}>
                <td data-align="end" className="ts-number">
                  {row.row}
                </td>
                <td className={classes.cell}>{visibleText(row.message)}</td>
                <td className={classes.cell}>{visibleText(row.expected)}</td>
                <td data-hide className={classes.cell}>
                  {visibleText(row.check)}
                </td>
                <td data-hide className={classes.cell}>
                  {visibleText(row.state)}
                </td>
                <td data-hide className={classes.cell}>
                  {visibleText(row.attack)}
                </td>
                <td data-hide className={classes.cell}>
                  {visibleText(row.task)}
                </td>
                <td data-hide>{row.split}</td>
                <td data-hide className={classes.cell}>
                  {Object.entries(row.metadata)
                    .map(([name, value]) => `${visibleText(name)}: ${visibleText(String(value))}`)
                    .join(", ")}
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </>
  );
}
