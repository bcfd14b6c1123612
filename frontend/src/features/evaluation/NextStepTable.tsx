/** How often each variant's next step was the recorded one, in tests that ask only for it. */
import type { SweepReport } from "@/api/types";
import { formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PlainTable } from "@/ui/PlainTable";
import { percent } from "@/ui/Plot";

export function NextStepTable({ report: { next_steps, variants } }: { report: SweepReport }) {
  if (next_steps.length === 0) return null;
  return (
    <section className="ts-section" aria-labelledby="next-steps">
      <h2 id="next-steps">The next step</h2>
      <p className="ts-hint">
        Each test gives all steps before an action and asks for that action alone. The tool is
        compared if the kind is right, and the arguments if the tool is right. A test passes only if
        all three are right.
      </p>
      <PlainTable aria-labelledby="next-steps" fit="words">
        <thead>
          <tr>
            <th scope="col">Variant</th>
            <th scope="col" data-align="end" title="Runs without an action or an end are missing">
              Compared
            </th>
            <th scope="col" data-align="end">
              Kind
            </th>
            <th scope="col" data-align="end">
              And tool
            </th>
            <th scope="col" data-align="end">
              And arguments
            </th>
          </tr>
        </thead>
        <tbody>
          {next_steps.map((row) => {
            const variant = variants[row.variant]?.variant;
            return (
              <tr key={row.variant}>
                <th scope="row">
                  {visibleText(`${variant?.letter ?? ""} ${variant?.label ?? ""}`)}
                </th>
                <td data-align="end" className="ts-number">
                  {formatExact(row.compared_count)}
                </td>
                {[row.kind_count, row.tool_count, row.argument_count].map((count, at) => (
                  <td key={at} data-align="end" className="ts-number">
                    {row.compared_count > 0 && percent(count / row.compared_count)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </PlainTable>
    </section>
  );
}
