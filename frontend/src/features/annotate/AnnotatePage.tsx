/** Working through a queue: the item on the left, the rubric on the right, all by keyboard. */
import { Anchor, Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { IconChecks } from "@tabler/icons-react";
import { useMemo } from "react";
import { Link, useParams } from "react-router";

import { describeError, wayBack } from "@/api/client";
import { queueQuery, workQuery } from "@/api/queues";
import type { Queue, QueueProgress, Work } from "@/api/types";
import classes from "@/features/annotate/annotate.module.css";
import { AnswerPane } from "@/features/annotate/AnswerPane";
import { TapeReader } from "@/features/annotate/TapeReader";
import { useWork } from "@/features/annotate/useWork";
import { countOf } from "@/lib/format";
import { useKeys } from "@/lib/keys";
import { visibleText } from "@/lib/visibleText";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState, ErrorState, RowsSkeleton } from "@/ui/States";
import { ProgressBar } from "@/features/annotate/ProgressBar";

export function AnnotatePage() {
  const { queueId = "" } = useParams();
  const queue = useQuery(queueQuery(queueId));
  const work = useQuery(workQuery(queueId));
  const error = queue.error ?? work.error;
  if (queue.data !== undefined && work.data !== undefined) {
    return <Working queue={queue.data} work={work.data} />;
  }
  return (
    <>
      <PageHeader title={queue.data === undefined ? "Annotate" : visibleText(queue.data.name)} />
      {error === null ? (
        <RowsSkeleton label="Loading the next item" />
      ) : (
        <ErrorState
          title="There is nothing to annotate"
          message={describeError(error)}
          back={wayBack(error, "/queues", "queues")}
          onRetry={() => {
            void queue.refetch();
            void work.refetch();
          }}
        />
      )}
    </>
  );
}

function Working({ queue, work }: { queue: Queue; work: Work }) {
  const { assignment, progress } = work;
  const actions = useWork(queue.id);
  const bindings = useMemo(
    () => [{ keys: "b", label: "Back to your last answer", run: actions.onBack }],
    [actions.onBack],
  );
  useKeys("Annotate", bindings);
  return (
    <>
      <PageHeader
        title={visibleText(queue.name)}
        note={<Progress queue={queue} progress={progress} />}
      >
        <Button
          variant="default"
          loading={actions.isGoingBack}
          disabled={progress.answered_count === 0}
          onClick={actions.onBack}
          title="Reopen your last answer (b)"
        >
          Back
        </Button>
        <Button component={Link} variant="default" to={`/queues/${queue.id}`}>
          Results
        </Button>
      </PageHeader>
      {assignment === null ? (
        <Finished queue={queue} progress={progress} onRequeue={actions.onRequeue} />
      ) : (
        <div className={classes.work}>
          <div className={classes.tapes}>
            <TapeReader
              tapeId={assignment.tape_id}
              title={assignment.tape_title}
              position={assignment.position}
              {...(assignment.other_tape_id === null ? {} : { side: "Left" })}
            />
            {assignment.other_tape_id !== null && (
              <TapeReader
                tapeId={assignment.other_tape_id}
                title={assignment.other_tape_title}
                position={null}
                side="Right"
              />
            )}
          </div>
          <AnswerPane
            key={`${assignment.item_id} ${actions.visit}`}
            queue={queue}
            assignment={assignment}
            onDone={actions.onNext}
          />
        </div>
      )}
    </>
  );
}

function Progress({ queue, progress }: { queue: Queue; progress: QueueProgress }) {
  const parts = [
    `you answered ${progress.answered_count}`,
    ...(progress.skipped_count > 0
      ? [`you skipped ${countOf(progress.skipped_count, "item")}`]
      : []),
    ...progress.locked.map(
      ({ person, item_count }) => `${item_count} locked by ${visibleText(person)}`,
    ),
  ];
  const words = `${queue.done_count} of ${queue.item_count} done, ${parts.join(", ")}`;
  return (
    <div className={`ts-row ${classes.progress}`} role="status" title={words}>
      <ProgressBar done={queue.done_count} of={queue.item_count} />
      <span className="ts-truncate">{words}</span>
    </div>
  );
}

interface FinishedProps {
  queue: Queue;
  progress: QueueProgress;
  onRequeue: () => void;
}

function Finished({ queue, progress, onRequeue }: FinishedProps) {
  const queries = useQueryClient();
  const again = () => void queries.refetchQueries({ queryKey: workQuery(queue.id).queryKey });
  const isEmpty = queue.item_count === 0;
  const left = queue.item_count - queue.done_count;
  return (
    <EmptyState
      title={isEmpty ? "This queue has no tapes yet" : "Nothing left to annotate"}
      icon={<IconChecks size={24} stroke={1.5} />}
      action={
        <span className={classes.buttons}>
          {isEmpty && (
            <Button component={Link} to="/tapes">
              Choose tapes
            </Button>
          )}
          {progress.skipped_count > 0 && (
            <Button onClick={onRequeue}>Restore {progress.skipped_count} skipped</Button>
          )}
          {!isEmpty && left > 0 && (
            <Button variant="default" onClick={again}>
              Check again
            </Button>
          )}
        </span>
      }
    >
      {isEmpty ? (
        <>Select tapes in the list and add them to this queue.</>
      ) : left > 0 ? (
        <>
          {left} of {queue.item_count} are waiting for other people, or were skipped by you.{" "}
          <ResultsLink queue={queue} />
        </>
      ) : (
        <>
          All {queue.item_count} are done. <ResultsLink queue={queue} />
        </>
      )}
    </EmptyState>
  );
}

function ResultsLink({ queue }: { queue: Queue }) {
  return (
    <Anchor component={Link} to={`/queues/${queue.id}`} size="sm">
      See the results
    </Anchor>
  );
}
