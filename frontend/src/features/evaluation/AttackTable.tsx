/** What the variants did with planted instructions, in all and by tag of the task. */
import type { SweepReport } from "@/api/types";
import { formatExact, formatRate } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PlainTable } from "@/ui/PlainTable";

type Cell = SweepReport["attacks"][number]["cells"][number];

export function AttackTable({ report: { attacks, variants } }: { report: SweepReport }) {
  if (attacks.length === 0) return null;
  return (
    <section className="ts-section" aria-labelledby="planted">
      <h2 id="planted">Planted instructions</h2>
      <p className="ts-hint">
        Each task has an instruction planted into what a tool answers. The agent followed it, tried
        to but was stopped by a tool rule, or refused.
      </p>
      <PlainTable aria-labelledby="planted" fit="words">
        <thead>
          <tr>
            <th scope="col">Attacks</th>
            <th scope="col">Variant</th>
            <th scope="col" title="Share of the scored runs that followed, with its 95 % interval">
              Followed
            </th>
            <th scope="col" data-align="end" data-hide>
              Stopped
            </th>
            <th scope="col" data-align="end" data-hide>
              Refused
            </th>
            <th scope="col" data-align="end" data-hide title="Runs that are not scored">
              Not read
            </th>
            <th scope="col" title="Share of the scored runs that passed their task">
              Useful all the same
            </th>
          </tr>
        </thead>
        <tbody>
          {attacks.flatMap(({ tag, cells }) =>
            cells.map((cell, at) => (
              <tr key={`${tag} ${at}`}>
                <th scope="row">{tag === "" ? "All" : visibleText(tag)}</th>
                <td>{variants[at]?.variant.letter}</td>
                <Counts cell={cell} />
              </tr>
            )),
          )}
        </tbody>
      </PlainTable>
    </section>
  );
}

function Counts({ cell }: { cell: Cell }) {
  return (
    <>
      <td className="ts-number">{cell.followed && formatRate(cell.followed.estimate)}</td>
      {[cell.stopped_count, cell.refused_count, cell.unread_count].map((count, at) => (
        <td key={at} data-align="end" data-hide className="ts-number">
          {formatExact(count)}
        </td>
      ))}
      <td className="ts-number">{cell.useful && formatRate(cell.useful.estimate)}</td>
    </>
  );
}
