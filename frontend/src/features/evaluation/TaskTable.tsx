/** The tasks of a sweep, those on which variants differ first; every mark opens its tape. */
import { useMemo, useState } from "react";
import { Link } from "react-router";

import type { SweepReport } from "@/api/types";
import classes from "@/features/evaluation/evaluation.module.css";
import { TaskAttempts } from "@/features/evaluation/TaskAttempts";
import { countOf, formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { DataTable } from "@/ui/DataTable";
import { OutcomeMark } from "@/ui/OutcomeMark";
import type { Column } from "@/ui/tableColumns";

/** With more attempts at a task only their counts are shown, and the first failed one is opened. */
const MOST_MARKS = 6;

type Task = SweepReport["tasks"][number];
type Attempt = Task["cells"][number][number];

export function TaskTable({ report }: { report: SweepReport }) {
  const { sweep, tasks, task_count: count } = report;
  const [active, setActive] = useState<string | null>(null);
  const columns = useMemo(() => columnsOf(sweep.variants, setActive), [sweep.variants]);
  if (tasks.length === 0) return null;
  const chosen = tasks.find((task) => rowId(task) === active);
  return (
    <section className="ts-section" aria-labelledby="tasks">
      <h2 className={classes.heading} id="tasks">
        {countOf(count, "task")}, those first at which variants differ
      </h2>
      {tasks.length < count && (
        <p className="ts-hint">The first {formatExact(tasks.length)} are shown.</p>
      )}
      <DataTable
        label="Tasks"
        columns={columns}
        rows={tasks}
        rowId={rowId}
        activeId={active}
        onRowClick={(task) => setActive(rowId(task))}
      />
      {chosen === undefined ? (
        <p className="ts-hint">Choose a task to read why its attempts passed or failed.</p>
      ) : (
        <TaskAttempts
          task={chosen}
          jobId={sweep.job_id}
          scoringId={report.decided_by.scoring_id}
          letters={sweep.variants.map(({ letter }) => letter)}
        />
      )}
    </section>
  );
}

const rowId = ({ start_id: id, title }: Task) => id ?? title;

function columnsOf(
  variants: SweepReport["sweep"]["variants"],
  onChosen: (id: string) => void,
): Column<Task>[] {
  return [
    {
      id: "task",
      header: "Task",
      // With many variants the table scrolls, and the task column stays.
      ...(variants.length > 2 && { pinnedAt: 0 }),
      cell: ({ start_id: id, title }) =>
        id === null ? (
          visibleText(title)
        ) : (
          <Link className="ts-truncate" to={`/t/${id}`} title={visibleText(title)}>
            {visibleText(title)}
          </Link>
        ),
    },
    ...variants.map(({ letter, label }, at): Column<Task> => ({
      id: letter,
      header: <span title={visibleText(label)}>{letter}</span>,
      width: `min(128px, max(44px, ${Math.floor(60 / Math.max(2, variants.length))}cqw))`,
      // Keyboard users choose a task by focusing its marks.
      cell: (task) => (
        <Attempts
          attempts={task.cells[at] ?? []}
          letter={letter}
          onFocus={() => onChosen(rowId(task))}
        />
      ),
    })),
  ];
}

interface AttemptsProps {
  attempts: readonly Attempt[];
  letter: string;
  onFocus: () => void;
}

function Attempts({ attempts, letter, onFocus }: AttemptsProps) {
  if (attempts.length === 0) return <span className="ts-dimmed">–</span>;
  if (attempts.length <= MOST_MARKS) {
    return (
      <span className={classes.marks}>
        {attempts.map(({ tape_id: id, passed, why }, at) => (
          <Link
            key={id}
            to={`/t/${id}`}
            onFocus={onFocus}
            title={[`Attempt ${letter}${at + 1}`, visibleText(why)].filter(Boolean).join(": ")}
          >
            <OutcomeMark outcome={passed === null ? "" : passed ? "pass" : "fail"} />
          </Link>
        ))}
      </span>
    );
  }
  const passed = attempts.filter((one) => one.passed === true).length;
  const opened = attempts.find((one) => one.passed !== true) ?? attempts[0];
  return (
    <Link className="ts-number" to={`/t/${opened?.tape_id ?? ""}`} onFocus={onFocus}>
      {formatExact(passed)} of {formatExact(attempts.length)}
    </Link>
  );
}
