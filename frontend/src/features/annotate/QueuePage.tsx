/** One queue: its progress, its results, people's agreement, and every item. */
import { Anchor, Button, Menu } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { IconDownload, IconTrash } from "@tabler/icons-react";
import { Link, useNavigate, useParams } from "react-router";

import { describeError, wayBack } from "@/api/client";
import {
  answersUrl,
  deleteQueue,
  queueKeys,
  queueProgressQuery,
  queueQuery,
  requeue,
  rubricsQuery,
} from "@/api/queues";
import { useCanWrite } from "@/api/session";
import { showFailure } from "@/api/showFailure";
import type { Queue } from "@/api/types";
import { describeChoices } from "@/features/annotate/choices";
import { EditQueueButton } from "@/features/annotate/EditQueue";
import { ItemTable } from "@/features/annotate/ItemTable";
import classes from "@/features/annotate/lists.module.css";
import { ProgressBar } from "@/features/annotate/ProgressBar";
import { ResultTables } from "@/features/annotate/ResultTables";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { ConfirmButton } from "@/ui/ConfirmButton";
import { PageHeader } from "@/ui/PageHeader";
import { ErrorState, RowsSkeleton } from "@/ui/States";

export function QueuePage() {
  const { queueId = "" } = useParams();
  const queue = useQuery(queueQuery(queueId));
  if (queue.data !== undefined) return <Shown queue={queue.data} />;
  return (
    <>
      <PageHeader title="Queue" />
      {queue.isError ? (
        <ErrorState
          title="The queue could not be loaded"
          message={describeError(queue.error)}
          back={wayBack(queue.error, "/queues", "queues")}
          onRetry={() => void queue.refetch()}
        />
      ) : (
        <RowsSkeleton label="Loading the queue" rows={6} />
      )}
    </>
  );
}

function Shown({ queue }: { queue: Queue }) {
  const canWrite = useCanWrite();
  return (
    <>
      <PageHeader
        title={visibleText(queue.name)}
        note={
          <span className={`ts-inline ${classes.progress} ${classes.headProgress}`}>
            <ProgressBar done={queue.done_count} of={queue.item_count} />
            {queue.done_count} of {queue.item_count} done
          </span>
        }
      >
        {canWrite && <DeleteButton queue={queue} />}
        {canWrite && <EditQueueButton queue={queue} />}
        <ExportMenu queue={queue} />
        {canWrite && (
          <Button component={Link} to={`/queues/${queue.id}/annotate`}>
            Annotate
          </Button>
        )}
      </PageHeader>
      <div className={classes.page}>
        <About queue={queue} />
        {queue.item_count === 0 ? (
          <section className={classes.section}>
            <p className={`ts-hint ${classes.help}`}>
              This queue has no tapes yet.{" "}
              <Anchor component={Link} to="/tapes" size="sm">
                Select tapes in the list
              </Anchor>{" "}
              and add them to this queue.
            </p>
          </section>
        ) : (
          <>
            <ResultTables queue={queue} />
            <ItemTable queue={queue} />
          </>
        )}
      </div>
    </>
  );
}

function About({ queue }: { queue: Queue }) {
  const people =
    queue.people.length === 0
      ? "everybody who can edit"
      : queue.people.map(({ name }) => visibleText(name)).join(", ");
  return (
    <section className={classes.section} aria-label="About the queue">
      <p className={`ts-hint ${classes.help}`}>
        Asks{" "}
        <Anchor component={Link} to={`/queues/rubrics/${queue.rubric_id}`} size="xs">
          {visibleText(queue.rubric_name)}
        </Anchor>{" "}
        v{queue.rubric_version}
        <NewerVersion queue={queue} /> about{" "}
        {queue.mode === "pairwise" ? "pairs of tapes" : "tapes"}:{" "}
        {countOf(queue.annotators_per_item, "person", "people")} each
        {queue.audit_percent > 0 && `, one more for ${queue.audit_percent} % of them`}. Open to{" "}
        {people}. An item is held for {queue.lock_minutes} minutes.
      </p>
      <details className={classes.asked}>
        <summary>Questions</summary>
        <ol>
          {queue.rubric.items.map((item) => (
            <li key={item.key}>
              {visibleText(item.question)}{" "}
              <span className="ts-dimmed">{describeChoices(item)}</span>
            </li>
          ))}
        </ol>
      </details>
      <Skipped queue={queue} />
    </section>
  );
}

/** A queue keeps its version of the rubric; this note tells people who have changed the rubric. */
function NewerVersion({ queue }: { queue: Queue }) {
  const rubrics = useQuery(rubricsQuery());
  const newest = rubrics.data?.find(({ id }) => id === queue.rubric_id)?.version ?? 0;
  return newest > queue.rubric_version && ` (a new queue would use v${newest})`;
}

function Skipped({ queue }: { queue: Queue }) {
  const progress = useQuery(queueProgressQuery(queue.id));
  const queries = useQueryClient();
  const bring = useMutation({
    mutationFn: () => requeue(queue.id, null),
    onSuccess: () => queries.invalidateQueries({ queryKey: queueKeys.queue(queue.id) }),
    onError: (error) => showFailure("Nothing was restored", error),
  });
  const count = progress.data?.skipped_count ?? 0;
  if (count === 0) return null;
  return (
    <p className={`ts-hint ${classes.help}`}>
      You skipped {count}.{" "}
      <Button
        size="compact-xs"
        variant="default"
        loading={bring.isPending}
        onClick={() => bring.mutate()}
      >
        Restore {count === 1 ? "it" : "them"}
      </Button>
    </p>
  );
}

function ExportMenu({ queue }: { queue: Queue }) {
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={14} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={answersUrl(queue.id, "jsonl")} download>
          Answers as JSON Lines
        </Menu.Item>
        <Menu.Item component="a" href={answersUrl(queue.id, "csv")} download>
          Answers as CSV
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function DeleteButton({ queue }: { queue: Queue }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => deleteQueue(queue.id),
    onSuccess: async () => {
      await navigate("/queues");
      await queries.invalidateQueries({ queryKey: queueKeys.list });
    },
    onError: (error) => showFailure("The queue was not deleted", error),
  });
  return (
    <ConfirmButton
      question={`Delete ${visibleText(queue.name)}? Its annotations stay on the tapes.`}
      confirm="Delete"
      onConfirm={() => remove.mutate()}
      variant="subtle"
      color="gray"
      px={6}
      loading={remove.isPending}
    >
      <IconTrash size={16} stroke={1.75} role="img" aria-label="Delete the queue" />
    </ConfirmButton>
  );
}
