/** What two versions achieved where sweeps have measured them; each score opens its attempts. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { outcomesQuery } from "@/api/publishing";
import type { OutcomesOn } from "@/api/types";
import type { Numbered } from "@/features/agents/publish/usePublishing";
import { formatExact, formatRate } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PlainTable } from "@/ui/PlainTable";
import { RateBar } from "@/ui/RateBar";
import { RowsSkeleton } from "@/ui/States";

interface OutcomesProps {
  left: Numbered;
  right: Numbered;
}

export function Outcomes({ left, right }: OutcomesProps) {
  const found = useQuery(outcomesQuery(left.id, right.id));
  if (found.isPending) return <RowsSkeleton rows={1} label="Loading the outcomes" />;
  if (found.data === undefined) return <p role="alert">{describeError(found.error)}</p>;
  if (found.data.length === 0) {
    return (
      <p className="ts-hint">
        No sweep has measured v{left.number} or v{right.number} on a dataset yet. Choose one, and
        both do its tasks.
      </p>
    );
  }
  return (
    <PlainTable aria-label="Outcomes" fit="words">
      <thead>
        <tr>
          <th scope="col">Dataset</th>
          {[left, right].map(({ number }, side) => (
            <th key={side} scope="col" title="Share of tasks that pass, with its 95 % interval">
              v{number} passed
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {found.data.map((row) => (
          <tr key={row.dataset_id}>
            <th scope="row">
              {visibleText(row.name)}
              <Note row={row} />
            </th>
            <Outcome score={row.a} />
            <Outcome score={row.b} />
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

function Note({ row: { a, b, is_pinned: isPinned } }: { row: OutcomesOn }) {
  const words = [
    ...(isPinned ? ["pinned"] : []),
    ...(a !== null && b !== null && a.sweep_id !== b.sweep_id ? ["two sweeps"] : []),
  ];
  if (words.length === 0) return null;
  return <span className="ts-dimmed"> {words.join(", ")}</span>;
}

function Outcome({ score: found }: { score: OutcomesOn["a"] }) {
  if (found === null) return <td className="ts-dimmed">not run</td>;
  const { score, passed_count: passed, failed_count: failed, missing_count: missing } = found;
  const count = `${formatExact(passed)} of ${formatExact(passed + failed + missing)}`;
  return (
    <td>
      <span className="ts-row ts-number">
        {score !== null && <RateBar rate={score.estimate} />}
        <Link to={`/evaluation/${found.sweep_id}`} title="Opens the attempts in their sweep">
          {count}
        </Link>
        <span className="ts-dimmed">
          {score === null ? "nothing judged" : formatRate(score.estimate)}
          {score !== null && missing > 0 && `, ${formatExact(missing)} missing`}
        </span>
      </span>
    </td>
  );
}
