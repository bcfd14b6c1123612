/** Pass rates of the variants on the tasks of each tag; a cell opens its tapes. */
import { Link } from "react-router";

import type { SweepReport } from "@/api/types";
import classes from "@/features/evaluation/TagMap.module.css";
import { formatExact, formatRate } from "@/lib/format";
import { quoteValue } from "@/lib/tapeQuery";
import { visibleText } from "@/lib/visibleText";
import { percent } from "@/ui/Plot";
import { PlainTable } from "@/ui/PlainTable";

/** The percentage of accent color behind a cell that always passes; text stays readable on it. */
const STRONGEST = 32;

type TagRates = SweepReport["tags"][number];

export function TagMap({ report: { tags, variants } }: { report: SweepReport }) {
  return (
    <section className="ts-section" aria-labelledby="by-tag">
      <h2 className={classes.heading} id="by-tag">
        By tag of the task
      </h2>
      {tags.length === 0 ? (
        <p className="ts-hint">
          The tasks have no tags. Tag them, for example by what each asks for, and the pass rate of
          each variant is shown here by tag, without another run.
        </p>
      ) : (
        <PlainTable aria-labelledby="by-tag" fit="words">
          <thead>
            <tr>
              <th scope="col">Tag</th>
              <th scope="col" data-align="end">
                Tasks
              </th>
              {variants.map(({ variant: { letter, label } }) => (
                <th key={letter} scope="col" title={visibleText(label)}>
                  {letter}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {tags.map((row) => (
              <TagRow key={row.tag} row={row} variants={variants} />
            ))}
          </tbody>
        </PlainTable>
      )}
    </section>
  );
}

interface TagRowProps {
  row: TagRates;
  variants: SweepReport["variants"];
}

function TagRow({ row, variants }: TagRowProps) {
  return (
    <tr>
      <th scope="row" className={classes.tag}>
        {visibleText(row.tag)}
      </th>
      <td data-align="end" className="ts-number">
        {formatExact(row.task_count)}
      </td>
      {row.cells.map((cell, at) => {
        const one = variants[at];
        if (one === undefined) return null;
        return <TagCell key={one.variant.letter} cell={cell} tag={row.tag} variant={one} />;
      })}
    </tr>
  );
}

interface TagCellProps {
  cell: TagRates["cells"][number];
  tag: string;
  variant: SweepReport["variants"][number];
}

function TagCell({ cell, tag, variant: { variant, batches } }: TagCellProps) {
  const { score, passed_count: passed, failed_count: failed, missing_count: missing } = cell;
  if (passed + failed + missing === 0) return <td />;
  const counts = `${formatExact(passed)} of ${formatExact(passed + failed)} runs passed`;
  const without = missing === 0 ? "" : `, ${formatExact(missing)} missing`;
  const rate = score === null ? "Nothing judged" : formatRate(score.estimate);
  const shade = Math.round(STRONGEST * (score?.estimate.value ?? 0));
  const background = `color-mix(in srgb, var(--ts-accent) ${shade}%, transparent)`;
  return (
    <td className={classes.cell} style={{ background }}>
      <Link
        to={addressOf(batches, tag)}
        title={`${variant.letter}, ${visibleText(tag)}: ${rate}; ${counts}${without}`}
      >
        {score === null ? "–" : percent(score.estimate.value)}{" "}
        <span className={classes.count}>n = {formatExact(passed + failed)}</span>
      </Link>
    </td>
  );
}

/** The tapes of a variant whose tasks have a tag. */
function addressOf(batches: readonly { batch_id: string }[], tag: string): string {
  const ids = batches.map(({ batch_id: id }) => id).join(",");
  const q = `batch:${ids} parent_tag:${quoteValue(tag)}`;
  return `/tapes?${new URLSearchParams({ q }).toString()}`;
}
