/** The tasks of a sweep as a table of answers; a task opens its attempts side by side. */
import { Drawer } from "@mantine/core";
import { useMemo } from "react";
import { Link } from "react-router";

import type { SweepReport } from "@/api/types";
import classes from "@/features/evaluation/evaluation.module.css";
import { TaskAttempts } from "@/features/evaluation/TaskAttempts";
import { countOf, formatExact } from "@/lib/format";
import { useAddress } from "@/lib/useAddress";
import { visibleText } from "@/lib/visibleText";
import { DataTable } from "@/ui/DataTable";
import { OutcomeMark } from "@/ui/OutcomeMark";
import type { Column } from "@/ui/tableColumns";

/** With more attempts at a task only their counts are shown, and the first failed one is opened. */
const MOST_MARKS = 6;
/** With more variants only their marks have room. */
const MOST_ANSWERS = 4;

type Task = SweepReport["tasks"][number];
type Attempt = Task["cells"][number][number];

export function TaskTable({ report }: { report: SweepReport }) {
  const { sweep, tasks, task_count: count } = report;
  const [address, change] = useAddress();
  const active = address.get("task");
  const hasExpected = tasks.some(({ expected }) => expected !== "");
  const columns = useMemo(
    () => columnsOf(sweep.variants, hasExpected, (id) => change({ task: id })),
    [sweep.variants, hasExpected, change],
  );
  if (tasks.length === 0) return null;
  const at = tasks.findIndex((task) => rowId(task) === active);
  const chosen = tasks[at];
  const step = (by: number) => {
    const next = tasks[at + by];
    return next === undefined ? null : () => change({ task: rowId(next) }, { replace: true });
  };
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
        onRowClick={(task) => change({ task: rowId(task) })}
      />
      <Drawer
        opened={chosen !== undefined}
        onClose={() => change({ task: null })}
        position="right"
        size="min(1120px, 94vw)"
        transitionProps={{ duration: 150, exitDuration: 0 }}
        title={chosen === undefined ? "" : `Task ${formatExact(at + 1)} of ${formatExact(count)}`}
      >
        {chosen !== undefined && (
          <TaskAttempts
            task={chosen}
            jobId={sweep.job_id}
            scoringId={report.decided_by.scoring_id}
            variants={sweep.variants}
            onPrevious={step(-1)}
            onNext={step(1)}
          />
        )}
      </Drawer>
    </section>
  );
}

const rowId = ({ start_id: id, title }: Task) => id ?? title;

function columnsOf(
  variants: SweepReport["sweep"]["variants"],
  hasExpected: boolean,
  onChoose: (id: string) => void,
): Column<Task>[] {
  const hasAnswers = variants.length <= MOST_ANSWERS;
  const share = Math.floor(60 / Math.max(2, variants.length));
  return [
    {
      id: "task",
      header: "Task",
      // With many variants the table scrolls, and the task column stays.
      ...(variants.length > 2 && { pinnedAt: 0 }),
      cell: (task) => (
        <button
          type="button"
          className={`ts-truncate ${classes.task}`}
          title={visibleText(task.title)}
          onClick={() => onChoose(rowId(task))}
        >
          {visibleText(task.title)}
        </button>
      ),
    },
    ...(hasExpected
      ? [
          {
            id: "expected",
            header: "Expected",
            width: "min(160px, 20cqw)",
            hideLevel: 3 as const,
            cell: ({ expected }: Task) => (
              <span title={visibleText(expected)}>{visibleText(expected)}</span>
            ),
          },
        ]
      : []),
    ...variants.map(({ letter, label }, at): Column<Task> => ({
      id: letter,
      header: <span title={visibleText(label)}>{letter}</span>,
      width: hasAnswers
        ? `min(220px, max(64px, ${Math.floor(share / 1.6)}cqw))`
        : `min(128px, max(44px, ${share}cqw))`,
      cell: (task) => {
        const attempts = task.cells[at] ?? [];
        return (
          <span className="ts-row">
            <Marks attempts={attempts} letter={letter} />
            {hasAnswers && <Answers attempts={attempts} />}
          </span>
        );
      },
    })),
  ];
}

/** Equal answers once, in the order of the attempts. */
function Answers({ attempts }: { attempts: readonly Attempt[] }) {
  const answers = [...new Set(attempts.map(({ answer }) => answer))].filter((text) => text !== "");
  const words = visibleText(answers.join(" · "));
  return (
    <span className={`ts-truncate ts-dimmed ${classes.answer}`} title={words}>
      {words}
    </span>
  );
}

function Marks({ attempts, letter }: { attempts: readonly Attempt[]; letter: string }) {
  if (attempts.length === 0) return <span className="ts-dimmed">–</span>;
  if (attempts.length <= MOST_MARKS) {
    return (
      <span className={classes.marks}>
        {attempts.map(({ tape_id: id, passed, value, why }, at) => (
          <Link
            key={id}
            to={`/t/${id}`}
            className="ts-inline"
            title={[`Attempt ${letter}${at + 1}`, visibleText(why)].filter(Boolean).join(": ")}
          >
            <OutcomeMark outcome={outcomeOf(passed)} />
            {isGraded(value) && <span className="ts-number">{value.toFixed(2)}</span>}
          </Link>
        ))}
      </span>
    );
  }
  const passed = attempts.filter((one) => one.passed === true).length;
  const opened = attempts.find((one) => one.passed !== true) ?? attempts[0];
  return (
    <Link className="ts-number" to={`/t/${opened?.tape_id ?? ""}`}>
      {formatExact(passed)} of {formatExact(attempts.length)}
    </Link>
  );
}

const outcomeOf = (passed: boolean | null) => (passed === null ? "" : passed ? "pass" : "fail");

/** Whether a score says more than pass and fail do. */
const isGraded = (value: number | null): value is number =>
  value !== null && value !== 0 && value !== 1;
