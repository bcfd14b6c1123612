/** The examination of a study: each arm's score and cost, by criterion and by behaviour. */
import { Link } from "react-router";

import type { StudyArm } from "@/api/types";
import { pointsOf } from "@/lib/points";
import { formatExact, formatRate } from "@/lib/format";
import { batchAddress } from "@/lib/tapeQuery";
import { CostPlot } from "@/ui/CostPlot";
import { PlainTable } from "@/ui/PlainTable";
import { percent } from "@/ui/Plot";
import plotClasses from "@/ui/Plot.module.css";
import { RateBar } from "@/ui/RateBar";

const CRITERIA = ["grounded", "responsive", "accurate", "disciplined", "transparent", "helpful"];

interface ArmTablesProps {
  arms: readonly StudyArm[];
  isOver: boolean;
}

export function ArmTables({ arms, isOver }: ArmTablesProps) {
  if (arms.length === 0) {
    return (
      <p className="ts-hint ts-section">
        {isOver
          ? "It ended before its report. Resume it to go on."
          : "Its report appears here when all have answered."}
      </p>
    );
  }
  return (
    <>
      <Scores arms={arms} />
      <Costs arms={arms} />
      <Shares
        id="criteria"
        title="By criterion"
        head="Criterion"
        arms={arms}
        sharesOf={({ report }) => report.shares}
        tagOf={(criterion) => `not ${criterion}`}
        order={() => CRITERIA}
      />
      <Shares
        id="behaviours"
        title="By behaviour of the user"
        head="Behaviour"
        arms={arms}
        sharesOf={({ report }) => report.by_behaviour}
        tagOf={(behaviour) => behaviour}
        order={(behaviours) => behaviours.sort()}
      />
    </>
  );
}

function Scores({ arms }: { arms: readonly StudyArm[] }) {
  const hasWhole = arms.some(({ whole }) => whole !== null);
  return (
    <section className="ts-section" aria-labelledby="examination">
      <h2 id="examination">Examination</h2>
      <p className="ts-hint">
        All continue the same {formatExact(arms[0]?.report.count ?? 0)} partial dialogues. GREADTH
        is the share of turns that meet all six criteria; its 95 % intervals are clustered by
        dialogue. The cost counts four characters as a token, at the prices of the settings.
      </p>
      <PlainTable aria-labelledby="examination" fit="words">
        <thead>
          <tr>
            <th scope="col">Arm</th>
            <th scope="col">GREADTH</th>
            <th scope="col" title="Less the teacher's, on the same turns">
              Against the teacher
            </th>
            <th scope="col" data-align="end" title="Turns without an invalid step">
              Valid
            </th>
            {hasWhole && (
              <th scope="col" title="Dialogues that ended with the form that the user wanted">
                Whole dialogues
              </th>
            )}
            <th scope="col" data-align="end">
              $ per million turns
            </th>
            <th scope="col" data-align="end">
              Times cheaper
            </th>
          </tr>
        </thead>
        <tbody>
          {arms.map((arm) => (
            <ArmRow key={arm.name} arm={arm} hasWhole={hasWhole} />
          ))}
        </tbody>
      </PlainTable>
    </section>
  );
}

function ArmRow({ arm, hasWhole }: { arm: StudyArm; hasWhole: boolean }) {
  const { name, report, whole, against_teacher: against, times_cheaper: cheaper, batch } = arm;
  const rate = { value: report.greadth, low: report.low, high: report.high };
  return (
    <tr>
      <th scope="row">
        <Link to={batchAddress(batch)}>{capital(name)}</Link>
      </th>
      <td>
        <span className="ts-row ts-number">
          <RateBar rate={rate} /> {formatRate(rate)}
        </span>
      </td>
      <td className="ts-number">
        {against !== null && pointsOf({ ...against, value: against.difference })}
      </td>
      <td data-align="end" className="ts-number">
        {percent(1 - report.invalid_share)}
      </td>
      {hasWhole && (
        <td className="ts-number">
          {whole !== null && formatRate({ value: whole.success, low: whole.low, high: whole.high })}
        </td>
      )}
      <td data-align="end" className="ts-number">
        {formatExact(Math.round(report.dollars_per_million_turns))}
      </td>
      <td data-align="end" className="ts-number">
        {cheaper === null ? "" : formatExact(Math.round(cheaper))}
      </td>
    </tr>
  );
}

function Costs({ arms }: Pick<ArmTablesProps, "arms">) {
  const points = arms.flatMap(({ name, report }) =>
    report.dollars_per_million_turns > 0
      ? [
          {
            name,
            label: capital(name),
            score: report.greadth,
            low: report.low,
            high: report.high,
            cost: report.dollars_per_million_turns,
          },
        ]
      : [],
  );
  if (points.length < 2) return null;
  return (
    <section className="ts-section" aria-label="Plot">
      <div className={plotClasses.plots}>
        <CostPlot title="GREADTH against cost" unit="for a million turns" points={points} />
      </div>
    </section>
  );
}

const capital = (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

interface SharesProps {
  id: string;
  title: string;
  /** What the rows are. */
  head: string;
  arms: readonly StudyArm[];
  sharesOf: (arm: StudyArm) => Readonly<Record<string, number>>;
  /** The tag of the tapes that a number leads to. */
  tagOf: (row: string) => string;
  order: (rows: string[]) => readonly string[];
}

function Shares({ id, title, head, arms, sharesOf, tagOf, order }: SharesProps) {
  const rows = [...new Set(arms.flatMap((arm) => Object.keys(sharesOf(arm))))];
  return (
    <section className="ts-section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <PlainTable aria-labelledby={id} fit="words">
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {arms.map(({ name }) => (
              <th key={name} scope="col" data-align="end">
                {capital(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {order(rows).map((row) => (
            <tr key={row}>
              <th scope="row">{capital(row)}</th>
              {arms.map((arm) => (
                <td key={arm.name} data-align="end" className="ts-number">
                  <Link to={batchAddress(arm.batch, tagOf(row))}>
                    {percent(sharesOf(arm)[row] ?? 0)}
                  </Link>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </section>
  );
}
