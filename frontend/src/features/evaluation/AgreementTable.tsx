/** How a judge agrees with people: measures, the four counts, and whether length biases it. */
import { useState } from "react";
import { Link } from "react-router";

import type { BenchReport } from "@/api/types";
import classes from "@/features/evaluation/evaluation.module.css";
import { countOf, formatExact, formatRate, formatSigned } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PlainTable } from "@/ui/PlainTable";

type Bench = NonNullable<BenchReport["bench"]>;

interface AgreementTableProps {
  bench: Bench;
  report: BenchReport;
}

export function AgreementTable({ bench, report }: AgreementTableProps) {
  const [opened, setOpened] = useState<CellName | null>(null);
  const { confusion, length_bias: length } = { ...bench, ...report };
  const measures = [
    { name: "Agreement", text: formatRate(bench.agreement), title: "Share of equal verdicts" },
    { name: "Kappa", text: plain(bench.kappa), title: "0 is chance, 1 is perfect" },
    {
      name: "Sensitivity",
      text: bench.sensitivity === null ? "–" : formatRate(bench.sensitivity),
      title: "Of the runs that people passed, the share that the judge passed too",
    },
    {
      name: "Specificity",
      text: bench.specificity === null ? "–" : formatRate(bench.specificity),
      title: "Of the runs that people failed, the share that the judge failed too",
    },
    {
      name: "Length bias",
      text:
        length === null
          ? "–"
          : `${formatSigned(length.correlation, 2)} (p = ${length.p_value.toFixed(3)})`,
      title: "Above 0, the judge favors long answers more than people do",
    },
  ];
  return (
    <section className="ts-section ts-stack" aria-labelledby="agreement">
      <h2 id="agreement">Agreement with people</h2>
      <PlainTable fit="words" aria-labelledby="agreement">
        <tbody className="ts-number">
          {measures.map(({ name, text, title }) => (
            <tr key={name}>
              <th scope="row" title={title}>
                {name}
              </th>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      <PlainTable fit="words" aria-label="Verdicts">
        <thead>
          <tr>
            <th scope="col">
              <span className="ts-visually-hidden">Judge</span>
            </th>
            <th scope="col" data-align="end">
              People: pass
            </th>
            <th scope="col" data-align="end">
              People: fail
            </th>
          </tr>
        </thead>
        <tbody className="ts-number">
          {ROWS.map(({ word, cells }) => (
            <tr key={word}>
              <th scope="row">{word}</th>
              {cells.map((cell) => (
                <td key={cell} data-align="end">
                  <Cell
                    cell={cell}
                    count={confusion[cell]}
                    isOpen={opened === cell}
                    onOpen={() => setOpened(opened === cell ? null : cell)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {opened !== null && (
        <Labelled
          words={CELLS[opened]}
          attempts={report.labelled.filter((one) => cellOf(one) === opened)}
        />
      )}
      {bench.unread > 0 && (
        <p className="ts-warn">
          Of {formatExact(bench.unread)} that people scored the judge gave no verdict that can be
          read.
        </p>
      )}
    </section>
  );
}

/** Judge first, then people. */
const CELLS = {
  both: "Judge and people let pass",
  only_judge: "The judge lets pass, people do not",
  only_human: "People let pass, the judge does not",
  neither: "Neither judge nor people let pass",
};
type CellName = keyof typeof CELLS;
const ROWS: readonly { word: string; cells: readonly CellName[] }[] = [
  { word: "Judge: pass", cells: ["both", "only_judge"] },
  { word: "Judge: fail", cells: ["only_human", "neither"] },
];

type LabelledAttempt = BenchReport["labelled"][number];

function cellOf({ judge_passed: judge, human_passed: human }: LabelledAttempt): CellName {
  if (judge) return human ? "both" : "only_judge";
  return human ? "only_human" : "neither";
}

interface CellProps {
  cell: CellName;
  count: number;
  isOpen: boolean;
  onOpen: () => void;
}

function Cell({ cell, count, isOpen, onOpen }: CellProps) {
  if (count === 0) return formatExact(count);
  const words = `${CELLS[cell]}: ${countOf(count, "attempt")}`;
  return (
    <button
      type="button"
      className={classes.count}
      aria-expanded={isOpen}
      aria-label={words}
      title={words}
      onClick={onOpen}
    >
      {formatExact(count)}
    </button>
  );
}

const MOST_LISTED = 100;

function Labelled({ words, attempts }: { words: string; attempts: readonly LabelledAttempt[] }) {
  return (
    <section className="ts-stack" aria-label={words}>
      <h3>
        {words}: {countOf(attempts.length, "attempt")}
      </h3>
      <ul className={classes.reasons}>
        {attempts.slice(0, MOST_LISTED).map(({ tape_id: id, name, title, why }) => (
          <li key={id}>
            <Link to={`/t/${id}`}>
              {name}, {visibleText(title)}
            </Link>{" "}
            <span className="ts-dimmed">{visibleText(why)}</span>
          </li>
        ))}
      </ul>
      {attempts.length > MOST_LISTED && (
        <p className="ts-hint">The first {formatExact(MOST_LISTED)} are shown.</p>
      )}
    </section>
  );
}

function plain(estimate: Bench["kappa"]): string {
  if (estimate === null) return "–";
  const { value, low, high } = estimate;
  return `${formatSigned(value, 2)} (${formatSigned(low, 2)} to ${formatSigned(high, 2)})`;
}
