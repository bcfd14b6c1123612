/** Which batch passed which task. A task opens its tapes, aligned. */
import type { BatchMatrix, TaskRow } from "@/api/types";
import classes from "@/features/batches/batches.module.css";
import { countOf } from "@/lib/format";
import { OUTCOME_WORDS } from "@/lib/outcomes";
import { visibleText } from "@/lib/visibleText";
import { DataTable } from "@/ui/DataTable";
import type { Column } from "@/ui/tableColumns";
import { OutcomeMark } from "@/ui/OutcomeMark";

interface TaskTableProps {
  matrix: BatchMatrix;
  task: string | null;
  onTask: (key: string) => void;
}

export function TaskTable({ matrix, task, onTask }: TaskTableProps) {
  return (
    <section className="ts-section" aria-labelledby="batch-tasks">
      <h2 className={`ts-row ${classes.heading}`} id="batch-tasks">
        Tasks
      </h2>
      <p className={classes.note}>{describeTasks(matrix)}</p>
      {matrix.tasks.length > 0 && (
        <div className={`ts-column ${classes.list}`}>
          <DataTable
            label="Tasks"
            columns={taskColumns(matrix, onTask)}
            rows={matrix.tasks}
            rowId={({ key }) => key}
            activeId={task}
            onRowClick={({ key }) => onTask(key)}
          />
        </div>
      )}
    </section>
  );
}

function describeTasks({ tasks, task_count, keyless_count, by }: BatchMatrix): string {
  if (task_count === 0) return `No tape has a ${by}. Pair them by something else.`;
  const shown = tasks.length < task_count ? `The first ${tasks.length} of ` : "";
  const rest = keyless_count > 0 ? ` ${countOf(keyless_count, "tape")} without one.` : "";
  return `${shown}${countOf(task_count, "task")}. Choose one to see its tapes on one axis.${rest}`;
}

function taskColumns(matrix: BatchMatrix, onTask: (key: string) => void): Column<TaskRow>[] {
  return [
    {
      id: "task",
      header: "Task",
      width: "min(280px, 44cqw)",
      cell: ({ key, title }) => (
        <button
          type="button"
          className={`ts-truncate ${classes.button} ${classes.task}`}
          title={visibleText(key)}
          onClick={() => onTask(key)}
        >
          {visibleText(title === "" ? key : title)}
        </button>
      ),
    },
    ...matrix.rows.map(({ totals }, at): Column<TaskRow> => {
      const name = visibleText(totals.name);
      return {
        id: totals.id,
        header: <span title={name}>{name}</span>,
        width: "min(120px, 27cqw)",
        cell: ({ cells }) => <Cell cell={cells[at]} />,
      };
    }),
  ];
}

function Cell({ cell }: { cell: TaskRow["cells"][number] | undefined }) {
  if (cell === undefined || cell.tape_count === 0) return <span className="ts-dimmed">–</span>;
  const { tape_count, passed_count, failed_count } = cell;
  if (tape_count === 1) {
    const outcome = passed_count > 0 ? "pass" : failed_count > 0 ? "fail" : "";
    return <OutcomeMark outcome={outcome} word={OUTCOME_WORDS[outcome]} />;
  }
  return (
    <span className="ts-number" title={`${passed_count} passed, ${failed_count} failed`}>
      {passed_count} of {tape_count} passed
    </span>
  );
}
