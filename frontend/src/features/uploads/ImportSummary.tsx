import type { ImportResult } from "@/api/uploads";
import classes from "@/features/uploads/Uploads.module.css";
import { countOf, formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

/** The result of an import: what is new, what was already there, what was refused and why. */
export function ImportSummary({ result }: { result: ImportResult }) {
  const numbers = [
    ["Tapes imported", result.imported],
    ["Already imported", result.already_there],
    ["LLM calls", result.llm_calls],
    ["Rejected", result.refused.length],
  ] as const;
  return (
    <>
      <dl className={classes.numbers}>
        {numbers.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatExact(count)}</dd>
          </div>
        ))}
      </dl>
      {result.refused.length > 0 && (
        <details className={classes.leftOut}>
          <summary>
            {countOf(result.refused.length, "part")} rejected; the rest was imported
          </summary>
          <table className={classes.refused}>
            <thead>
              <tr>
                <th scope="col">File</th>
                <th scope="col">Where</th>
                <th scope="col">Why</th>
              </tr>
            </thead>
            <tbody>
              {result.refused.map(({ file, position, reason }, index) => (
                <tr key={index}>
                  <td className={`ts-mono ${classes.place}`}>{visibleText(file)}</td>
                  <td className={`ts-mono ${classes.place}`}>{visibleText(position)}</td>
                  <td>{visibleText(reason)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
      {result.attacks_left_out > 0 && (
        <p>
          The attack of {countOf(result.attacks_left_out, "tape")} was left out, so that nothing is
          planted when they are resumed. Attacks come with a file of examples.
        </p>
      )}
      {result.unmapped.length > 0 && (
        <details className={classes.leftOut}>
          <summary>Kept with the tapes, but not in a step; an export includes it</summary>
          <table className={classes.refused}>
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">Tapes</th>
              </tr>
            </thead>
            <tbody>
              {result.unmapped.map(({ what, tape_count: count }) => (
                <tr key={what}>
                  <td>{visibleText(what)}</td>
                  <td className="ts-number">{formatExact(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </>
  );
}
