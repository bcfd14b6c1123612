/** How a judge agrees with people: measures, the four counts, and whether length biases it. */
import type { BenchReport } from "@/api/types";
import { formatExact, formatRate, formatSigned } from "@/lib/format";
import { PlainTable } from "@/ui/PlainTable";

type Bench = NonNullable<BenchReport["bench"]>;

interface AgreementTableProps {
  bench: Bench;
  report: BenchReport;
}

export function AgreementTable({ bench, report }: AgreementTableProps) {
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
          <tr>
            <th scope="row">Judge: pass</th>
            <td data-align="end">{formatExact(confusion.both)}</td>
            <td data-align="end">{formatExact(confusion.only_judge)}</td>
          </tr>
          <tr>
            <th scope="row">Judge: fail</th>
            <td data-align="end">{formatExact(confusion.only_human)}</td>
            <td data-align="end">{formatExact(confusion.neither)}</td>
          </tr>
        </tbody>
      </PlainTable>
      {bench.unread > 0 && (
        <p className="ts-warn">
          Of {formatExact(bench.unread)} that people scored the judge gave no verdict that can be
          read.
        </p>
      )}
    </section>
  );
}

function plain(estimate: Bench["kappa"]): string {
  if (estimate === null) return "–";
  const { value, low, high } = estimate;
  return `${formatSigned(value, 2)} (${formatSigned(low, 2)} to ${formatSigned(high, 2)})`;
}
