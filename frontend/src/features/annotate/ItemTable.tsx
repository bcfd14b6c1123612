/** Every item of a queue in order, with who answered it, holds it or skipped it. */
import { Anchor, Button } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { queueItemsQuery, queueKeys, releaseItem, requeue } from "@/api/queues";
import { sessionQuery, useCanWrite } from "@/api/session";
import { showFailure } from "@/api/showFailure";
import type { Queue, QueueItem } from "@/api/types";
import { ItemAnswers } from "@/features/annotate/ItemAnswers";
import classes from "@/features/annotate/lists.module.css";
import { shortId } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PlainTable } from "@/ui/PlainTable";
import { ErrorState, RowsSkeleton } from "@/ui/States";

export function ItemTable({ queue }: { queue: Queue }) {
  const items = useInfiniteQuery(queueItemsQuery(queue.id));
  const rows = items.data?.pages.flatMap((page) => page.items);
  return (
    <section className={classes.section} aria-labelledby="queue-items">
      <h2 className={`ts-row ${classes.heading}`} id="queue-items">
        Items
      </h2>
      {rows !== undefined ? (
        <PlainTable aria-label="Items">
          <thead>
            <tr>
              <th scope="col" data-align="end" data-hide="phone" style={{ width: 48 }}>
                No.
              </th>
              <th scope="col">{queue.mode === "pairwise" ? "Pair" : "Tape"}</th>
              <th scope="col">Answered by</th>
              <th scope="col">State</th>
              <th scope="col">
                <span className="ts-visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((item) => (
              <ItemLine key={item.id} queue={queue} item={item} />
            ))}
          </tbody>
        </PlainTable>
      ) : items.isError ? (
        <ErrorState
          title="The items could not be loaded"
          message={describeError(items.error)}
          onRetry={() => void items.refetch()}
        />
      ) : (
        <RowsSkeleton label="Loading the items" rows={6} />
      )}
      {items.hasNextPage && (
        <Button
          mt={8}
          variant="default"
          loading={items.isFetchingNextPage}
          onClick={() => void items.fetchNextPage()}
        >
          Show more of {queue.item_count}
        </Button>
      )}
    </section>
  );
}

function ItemLine({ queue, item }: { queue: Queue; item: QueueItem }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <tr>
        <td data-align="end" data-hide="phone">
          {item.number + 1}
        </td>
        <td className={classes.main}>
          <div className={`ts-row ${classes.tapes}`}>
            <TapeLink id={item.tape_id} title={item.tape_title} position={item.position} />
            {item.other_tape_id !== null && (
              <>
                <span className="ts-dimmed">against</span>{" "}
                <TapeLink id={item.other_tape_id} title={item.other_tape_title} position={null} />
              </>
            )}
            {item.position !== null && (
              <span className={`ts-caption ${classes.tag}`}>step {item.position}</span>
            )}
          </div>
        </td>
        <td className={classes.answered}>
          {item.answers.length > 0 && (
            <button
              type="button"
              className={`ts-inline ${classes.fold}`}
              aria-expanded={isOpen}
              title="Answers"
              onClick={() => setOpen(!isOpen)}
            >
              <IconChevronRight size={14} stroke={1.75} aria-hidden="true" />
              {item.answers.map(describeAnswer).join(", ")}
            </button>
          )}
        </td>
        <td className={`ts-dimmed ${classes.state}`}>
          {describeState(item)}
          {isSplit(queue, item) && ", people disagree: the outcome of the tape stays as it was"}
        </td>
        <td data-align="end">
          <ItemActions queue={queue} item={item} />
        </td>
      </tr>
      {isOpen && (
        <tr className={classes.answers}>
          <td data-hide="phone" />
          <td colSpan={4}>
            <ItemAnswers queue={queue} item={item} />
          </td>
        </tr>
      )}
    </>
  );
}

function describeAnswer({ person, score }: QueueItem["answers"][number]): string {
  const name = visibleText(person);
  return score === null ? name : `${name} ${Math.round(score * 100) / 100}`;
}

/** Nobody else gets an item that somebody holds, and nobody gets an item that everybody skipped. */
function ItemActions({ queue, item }: { queue: Queue; item: QueueItem }) {
  const canWrite = useCanWrite();
  const session = useQuery(sessionQuery());
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: queueKeys.queue(queue.id) });
  const bring = useMutation({
    mutationFn: () => requeue(queue.id, item.id),
    onSuccess,
    onError: (error) => showFailure("The item was not requeued", error),
  });
  const release = useMutation({
    mutationFn: () => releaseItem(queue.id, item.id),
    onSuccess,
    onError: (error) => showFailure("The item was not released", error),
  });
  if (!canWrite) return null;
  const name = `item ${item.number + 1}`;
  return (
    <span className={`ts-inline ${classes.actions}`}>
      {item.held_by.some((person) => person === session.data?.user) && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Release ${name}`}
          title="You have this item; release it to somebody else"
          loading={release.isPending}
          onClick={() => release.mutate()}
        >
          Release
        </Button>
      )}
      {item.skipped_by.length > 0 && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Requeue ${name}`}
          title="Ask the people who skipped it again"
          loading={bring.isPending}
          onClick={() => bring.mutate()}
        >
          Requeue
        </Button>
      )}
    </span>
  );
}

function TapeLink({ id, title, position }: { id: string; title: string; position: number | null }) {
  const at = position === null ? "?view=notes" : `?step=${position}&view=notes`;
  return (
    <Anchor
      component={Link}
      to={`/t/${id}${at}`}
      size="sm"
      className={classes.name}
      title={visibleText(title)}
    >
      {visibleText(title) || shortId(id)}
    </Anchor>
  );
}

/** Whether people's answers differ on the question that sets the tape's outcome. */
function isSplit({ rubric }: Queue, item: QueueItem): boolean {
  const deciding = rubric.items.find((asked) => asked.kind === "binary" && asked.sets_outcome);
  if (deciding === undefined || item.position !== null) return false;
  const answers = item.answers.map(({ values }) => values[deciding.key]);
  return new Set(answers.filter((value) => typeof value === "boolean")).size > 1;
}

export function describeState(item: QueueItem): string {
  const names = (people: readonly string[]) => people.map(visibleText).join(", ");
  const parts = [
    item.answers.length >= item.place_count
      ? "done"
      : `${item.answers.length} of ${item.place_count}`,
    ...(item.held_by.length > 0 ? [`locked by ${names(item.held_by)}`] : []),
    ...(item.skipped_by.length > 0 ? [`skipped by ${names(item.skipped_by)}`] : []),
  ];
  return parts.join(", ");
}
