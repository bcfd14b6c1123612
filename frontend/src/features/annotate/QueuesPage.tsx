/** The project's queues with their progress and agreement, and how to create one. */
import { Anchor, Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { IconListDetails, IconPlus, IconUserCheck } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { Link, useNavigate } from "react-router";

import { SampleButton } from "@/api/SampleButton";
import { describeError } from "@/api/client";
import { createQueue, queueKeys, queuesQuery } from "@/api/queues";
import { useCanWrite } from "@/api/session";
import { showFailure } from "@/api/showFailure";
import type { Queue, QueuePage } from "@/api/types";
import classes from "@/features/annotate/lists.module.css";
import { ProgressBar } from "@/features/annotate/ProgressBar";
import { QueueDrawer } from "@/features/annotate/QueueDrawer";
import { FIRST_OFFER, NEW_QUEUE } from "@/features/annotate/queueForm";
import { useCommands } from "@/lib/commands";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PageHeader } from "@/ui/PageHeader";
import { PlainTable } from "@/ui/PlainTable";
import { RelativeTime } from "@/ui/Quantities";
import { EmptyState, ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

export function QueuesPage() {
  const queues = useQuery(queuesQuery());
  const canWrite = useCanWrite();
  const [isAdding, setAdding] = useState(false);
  const count = queues.data?.items.length;
  useCommands(
    "Annotate",
    useMemo(
      () => (canWrite ? [{ label: "Create a queue", run: () => setAdding(true) }] : []),
      [canWrite],
    ),
  );
  return (
    <>
      <PageHeader
        title="Annotate"
        guide="annotation"
        note={
          count === undefined
            ? undefined
            : `${countOf(count, "queue")}${(queues.data?.next ?? null) === null ? "" : ", the newest"}`
        }
      >
        <Button
          component={Link}
          to="/queues/rubrics"
          variant="default"
          leftSection={<IconListDetails size={14} />}
        >
          Rubrics
        </Button>
        {canWrite && (
          <Button leftSection={<IconPlus size={14} />} onClick={() => setAdding(true)}>
            Create a queue
          </Button>
        )}
      </PageHeader>
      <Body query={queues} canWrite={canWrite} />
      <QueueDrawer opened={isAdding} onClose={() => setAdding(false)} />
    </>
  );
}

interface BodyProps {
  query: {
    data: QueuePage | undefined;
    isError: boolean;
    error: Error | null;
    refetch: () => unknown;
  };
  canWrite: boolean;
}

function Body({ query, canWrite }: BodyProps) {
  const retry = () => void query.refetch();
  if (query.data === undefined) {
    return query.isError ? (
      <ErrorState
        title="The queues could not be loaded"
        message={describeError(query.error)}
        onRetry={retry}
      />
    ) : (
      <RowsSkeleton label="Loading queues" rows={4} />
    );
  }
  if (query.data.items.length === 0) return <NoQueue canWrite={canWrite} />;
  return (
    <div className={classes.scroll}>
      {query.isError && <StaleNotice message={describeError(query.error)} onRetry={retry} />}
      <PlainTable aria-label="Queues" ends="page">
        <thead>
          <tr>
            <th scope="col">Queue</th>
            <th scope="col" data-hide="phone">
              Rubric
            </th>
            <th scope="col">Progress</th>
            <th
              scope="col"
              data-align="end"
              data-hide="phone"
              title="Pairs of answers that are equal: by score, or by every choice if there is no score"
            >
              Agreement
            </th>
            <th scope="col" data-hide>
              People
            </th>
            <th scope="col" data-hide>
              Created
            </th>
            <th scope="col">
              <span className="ts-visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {query.data.items.map((queue) => (
            <QueueLine key={queue.id} queue={queue} canWrite={canWrite} />
          ))}
        </tbody>
      </PlainTable>
    </div>
  );
}

function QueueLine({ queue, canWrite }: { queue: Queue; canWrite: boolean }) {
  const name = visibleText(queue.name);
  return (
    <tr>
      <td>
        <Anchor component={Link} to={`/queues/${queue.id}`} size="sm" className={classes.name}>
          {name}
        </Anchor>
      </td>
      <td data-hide="phone">
        {visibleText(queue.rubric_name)}
        {queue.mode === "pairwise" && <span className={`ts-caption ${classes.tag}`}>pairs</span>}
      </td>
      <td>
        <span className={`ts-inline ${classes.progress}`}>
          <ProgressBar done={queue.done_count} of={queue.item_count} />
          {queue.done_count} of {queue.item_count}
        </span>
      </td>
      <td data-align="end" data-hide="phone">
        {describeAgreement(queue)}
      </td>
      <td data-hide className="ts-dimmed">
        {queue.people.length === 0
          ? "Everybody"
          : queue.people.map((person) => visibleText(person.name)).join(", ")}
      </td>
      <td data-hide className="ts-dimmed">
        <RelativeTime value={queue.created_at} />
      </td>
      <td data-align="end">
        {canWrite && (
          <Button
            component={Link}
            to={`/queues/${queue.id}/annotate`}
            variant="default"
            aria-label={`Annotate ${name}`}
          >
            Annotate
          </Button>
        )}
      </td>
    </tr>
  );
}

export function describeAgreement({ pair_count, agreeing_count }: Queue): string {
  if (pair_count === 0) return "–";
  return `${Math.round((100 * agreeing_count) / pair_count)} % of ${countOf(pair_count, "pair")}`;
}

function NoQueue({ canWrite }: { canWrite: boolean }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const make = useMutation({
    mutationFn: () => createQueue({ ...NEW_QUEUE, name: FIRST_OFFER }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: queueKeys.all });
      await navigate(`/queues/${id}`);
    },
    onError: (error) => showFailure("The queue was not created", error),
  });
  return (
    <EmptyState
      title="No queues yet"
      icon={<IconUserCheck size={24} stroke={1.5} />}
      action={
        <span className="ts-row">
          {canWrite && (
            <Button loading={make.isPending} onClick={() => make.mutate()}>
              Create a pass or fail queue
            </Button>
          )}
          <SampleButton />
        </span>
      }
    >
      A queue asks people the same questions about many tapes, one by one, and measures their
      agreement. Pass or fail asks one: whether the tape did its task.
    </EmptyState>
  );
}
