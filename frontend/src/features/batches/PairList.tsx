/** The pairs, each linked to the diff of its two tapes. */
import { IconArrowRight } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { Link, useNavigate } from "react-router";

import type { BatchDiff, TapePair } from "@/api/types";
import classes from "@/features/batches/batches.module.css";
import { pairsWith } from "@/features/batches/changes";
import { signedMetric } from "@/features/batches/metrics";
import { countOf, knownCost } from "@/lib/format";
import { useKeys } from "@/lib/keys";
import { OUTCOME_WORDS, type Outcome } from "@/lib/outcomes";
import { visibleText } from "@/lib/visibleText";
import { DataTable } from "@/ui/DataTable";
import type { Column } from "@/ui/tableColumns";
import { OutcomeMark } from "@/ui/OutcomeMark";

interface PairListProps {
  diff: BatchDiff;
  shown: string | null;
  onShow: (change: string | null) => void;
}

export function PairList({ diff, shown, onShow }: PairListProps) {
  const navigate = useNavigate();
  const [active, setActive] = useState<string | null>(null);
  const rows = useMemo(() => pairsWith(diff, shown), [diff, shown]);
  const bindings = useMemo(() => {
    const at = rows.findIndex(({ left }) => left.id === active);
    const move = (to: number) => setActive(rows[to]?.left.id ?? active);
    const open = () => {
      const pair = rows[at];
      if (pair !== undefined) void navigate(diffAddress(pair));
    };
    return [
      { keys: "j", label: "Next pair", run: () => move(Math.min(rows.length - 1, at + 1)) },
      { keys: "k", label: "Previous pair", run: () => move(Math.max(0, at - 1)) },
      { keys: "Enter", label: "Open the diff of the pair", run: open },
    ];
  }, [rows, active, navigate]);
  useKeys("Pairs", bindings);
  return (
    <section className="ts-section" aria-labelledby="batch-pairs">
      <h2 className={`ts-row ${classes.heading}`} id="batch-pairs">
        Pairs
        {shown !== null && (
          <span className={`ts-inline ${classes.filter}`}>
            <span className="ts-dimmed">
              {countOf(rows.length, "pair")} of {diff.pairs.length}
            </span>
            <button type="button" className={classes.button} onClick={() => onShow(null)}>
              Show all
            </button>
          </span>
        )}
      </h2>
      {diff.pairs.length === 0 ? (
        <p className={classes.note}>
          No tapes of the two batches share a key. Pair them by something else.
        </p>
      ) : (
        <div className={`ts-column ${classes.list}`}>
          <DataTable
            label="Pairs"
            columns={COLUMNS}
            rows={rows}
            rowId={({ left }) => left.id}
            activeId={active}
            onRowClick={(pair) => void navigate(diffAddress(pair))}
          />
        </div>
      )}
    </section>
  );
}

function diffAddress({ left, right }: TapePair): string {
  return `/t/${left.id}/diff/${right.id}`;
}

const COLUMNS: Column<TapePair>[] = [
  {
    id: "task",
    header: "Task",
    cell: (pair) => {
      const { task, title } = pair.left;
      const words = visibleText(title === "" ? task : title);
      return (
        <Link className={classes.link} to={diffAddress(pair)} title={visibleText(task)}>
          {words === "" ? "Untitled tape" : words}
        </Link>
      );
    },
  },
  {
    id: "outcome",
    header: "Outcome",
    width: "176px",
    cell: ({ left, right }) => <Outcomes left={left.outcome} right={right.outcome} />,
  },
  {
    id: "part",
    header: "Diverge at",
    width: "240px",
    hideLevel: 2,
    cell: (pair) => partWords(pair),
  },
  {
    id: "equal",
    header: "Equal steps",
    width: "96px",
    align: "end",
    hideLevel: 1,
    cell: ({ match }) => <span className="ts-number">{match?.equal ?? "–"}</span>,
  },
  {
    id: "steps",
    header: "Steps",
    width: "88px",
    hideLevel: 3,
    align: "end",
    cell: ({ left, right }) => (
      <span className="ts-number">
        {left.step_count} → {right.step_count}
      </span>
    ),
  },
  {
    id: "cost",
    header: "Cost",
    width: "112px",
    align: "end",
    hideLevel: 1,
    cell: ({ left, right }) => <span className="ts-number">{costChange(left, right)}</span>,
  },
];

/** How much more the right tape cost; unknown if a call of either has no price. */
function costChange(left: TapePair["left"], right: TapePair["right"]): string {
  if (left.llm_call_count === 0 || right.llm_call_count === 0) return "–";
  const [before, after] = [knownCost(left), knownCost(right)];
  return before === null || after === null ? "unknown" : signedMetric("cost", after - before);
}

/** A single word if nothing changed, so that changes stand out. */
function Outcomes({ left, right }: { left: Outcome; right: Outcome }) {
  if (left === right) {
    return (
      <span className={`ts-inline ${classes.arrow}`}>
        <OutcomeMark outcome={left} word={OUTCOME_WORDS[left]} />
        <span className="ts-dimmed">both</span>
      </span>
    );
  }
  return (
    <span className={`ts-inline ${classes.arrow}`}>
      <OutcomeMark outcome={left} word={OUTCOME_WORDS[left]} />
      <IconArrowRight size={12} role="img" aria-label="then" />
      <OutcomeMark outcome={right} word={OUTCOME_WORDS[right]} />
    </span>
  );
}

function partWords({ match, left_step: step }: TapePair): string {
  if (match === null) return "Too many steps";
  if (match.first_left === null || step === null) return "Equal";
  const place = step.node === "" ? step.kind : `${step.kind} (${step.node})`;
  return `Step ${step.position}, ${step.kind === "" ? "the end" : visibleText(place)}`;
}
