/** The tasks of a dataset: what is asked, what is expected, and how agents did at each. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { rowsOf } from "@/api/pages";
import { tapesQuery } from "@/api/tapes";
import type { Dataset, TapeRow } from "@/api/types";
import classes from "@/features/datasets/datasets.module.css";
import { countOf, formatExact } from "@/lib/format";
import { attemptsAddress, datasetQueryOf } from "@/lib/tapeQuery";
import { visibleText } from "@/lib/visibleText";
import { MoreButton } from "@/ui/MoreButton";
import { PlainTable } from "@/ui/PlainTable";
import { RowsSkeleton } from "@/ui/States";

export function Tasks({ dataset }: { dataset: Dataset }) {
  const tapes = useInfiniteQuery(tapesQuery({ q: datasetQueryOf(dataset.name) }));
  const rows = rowsOf(tapes.data);
  const more = dataset.tape_count - dataset.archived_count - rows.length;
  return (
    <section className="ts-section ts-stack" aria-labelledby="tasks">
      <h2 id="tasks">Tasks</h2>
      <p className="ts-dimmed">{describeSplits(dataset)}</p>
      {tapes.isPending && <RowsSkeleton label="Loading the tasks" rows={4} />}
      {tapes.isError && <p role="alert">{describeError(tapes.error)}</p>}
      {tapes.isSuccess && rows.length === 0 && (
        <p className="ts-dimmed">
          None yet. Select tapes in their list and add them, or read examples from a file.
        </p>
      )}
      {rows.length > 0 && (
        <PlainTable aria-label="Tasks">
          <thead>
            <tr>
              <th scope="col">Task</th>
              <th scope="col">Expected</th>
              <th scope="col" data-hide="phone">
                Split
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row">
                  <Link className={classes.name} to={addressOf(row, dataset.name)}>
                    {row.title === "" ? "Untitled" : visibleText(row.title)}
                  </Link>
                </th>
                <td className={classes.cell}>{visibleText(row.expected)}</td>
                <td data-hide="phone" className={classes.split}>
                  {row.split}
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
      {tapes.hasNextPage && (
        <MoreButton onClick={() => void tapes.fetchNextPage()}>
          {more > 0 ? `Show more of ${formatExact(more)}` : "Show more"}
        </MoreButton>
      )}
    </section>
  );
}

/** A start tape has nothing but the task: what agents did at it says more. */
function addressOf({ id, task, agent_name: agent }: TapeRow, dataset: string): string {
  return agent === "" && task !== "" ? attemptsAddress(task, dataset) : `/t/${id}`;
}

function describeSplits(dataset: Dataset): string {
  const parts = [
    { count: dataset.train_count, words: "for training" },
    { count: dataset.validation_count, words: "for validation" },
    { count: dataset.test_count, words: "for testing" },
    { count: dataset.unsplit_count, words: "in no split" },
    { count: dataset.kept_count, words: "excluded from training" },
  ];
  const named = parts.flatMap(({ count, words }) =>
    count > 0 ? [`${formatExact(count)} ${words}`] : [],
  );
  const size = countOf(dataset.tape_count, "tape");
  return named.length === 0 ? `${size}.` : `${size}: ${named.join(", ")}.`;
}
