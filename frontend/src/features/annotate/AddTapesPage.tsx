/** Adds the tapes that were selected in the list to a queue, existing or new. */
import { Alert, Button, Radio, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import * as v from "valibot";

import { describeError } from "@/api/client";
import { addToQueue, pairsQuery, queueKeys, queuesQuery } from "@/api/queues";
import type { PairedTapes, Queue, QueueIn } from "@/api/types";
import classes from "@/features/annotate/lists.module.css";
import { useMakeQueue, useRubricChoices } from "@/features/annotate/QueueDrawer";
import { QueueFields } from "@/features/annotate/QueueFields";
import { NEW_QUEUE } from "@/features/annotate/queueForm";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState, ErrorState, RowsSkeleton } from "@/ui/States";

const chosenTapes = v.object({ tapeIds: v.array(v.string()) });

export function AddTapesPage() {
  const parsed = v.safeParse(chosenTapes, useLocation().state);
  const queues = useQuery(queuesQuery());
  if (!parsed.success || parsed.output.tapeIds.length === 0) {
    return (
      <>
        <PageHeader title="Add to a queue" />
        <EmptyState
          title="No tapes selected"
          action={
            <Button component={Link} to="/tapes">
              Choose tapes
            </Button>
          }
        >
          Select tapes in the list, then add them to a queue.
        </EmptyState>
      </>
    );
  }
  const { tapeIds } = parsed.output;
  return (
    <>
      <PageHeader title="Add to a queue" note={countOf(tapeIds.length, "tape")} />
      <div className={classes.page}>
        {queues.data !== undefined ? (
          <Choosing queues={queues.data.items} tapeIds={tapeIds} />
        ) : queues.isError ? (
          <ErrorState
            title="The queues could not be loaded"
            message={describeError(queues.error)}
            onRetry={() => void queues.refetch()}
          />
        ) : (
          <RowsSkeleton label="Loading queues" rows={4} />
        )}
      </div>
    </>
  );
}

const NEW = "new";

function Choosing({ queues, tapeIds }: { queues: readonly Queue[]; tapeIds: readonly string[] }) {
  const [where, setWhere] = useState(queues[0]?.id ?? NEW);
  const [draft, setDraft] = useState<QueueIn>(NEW_QUEUE);
  const choices = useRubricChoices();
  const make = useMakeQueue();
  const add = useAdd();
  const queue = queues.find(({ id }) => id === where);
  const mode = queue?.mode ?? draft.mode;
  const paired = useQuery({ ...pairsQuery(tapeIds), enabled: mode === "pairwise" });
  const targets =
    mode === "pairwise" ? (paired.data?.pairs ?? []) : tapeIds.map((tape_id) => ({ tape_id }));
  const isReady = targets.length > 0 && (queue !== undefined || draft.name.trim() !== "");
  const error = (queue === undefined ? make.error : add.error) ?? paired.error;
  return (
    <form
      noValidate
      className={classes.form}
      ref={focusForm}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady) return;
        if (queue === undefined) make.mutate({ ...draft, targets });
        else add.mutate({ queue, targets });
      }}
    >
      <Stack gap={16}>
        {queues.length > 0 && (
          <Radio.Group label="Queue" value={where} onChange={setWhere}>
            <Stack gap={8} mt={8}>
              {queues.map(({ id, name, rubric_name, item_count }) => (
                <Radio
                  key={id}
                  value={id}
                  label={visibleText(name)}
                  description={`${visibleText(rubric_name)}, ${countOf(item_count, "item")}`}
                />
              ))}
              <Radio value={NEW} label="New queue" />
            </Stack>
          </Radio.Group>
        )}
        {queue === undefined && (
          <QueueFields
            queue={draft}
            choices={choices}
            onChange={(part) => setDraft({ ...draft, ...part })}
          />
        )}
        {mode === "pairwise" && !paired.isError && (
          <p className={`ts-hint ${classes.help}`} role="status">
            {paired.data === undefined ? "Pairing tapes of one task …" : tellPairs(paired.data)}
          </p>
        )}
        {error !== null && (
          <Alert color="red" role="alert" title="The tapes were not added">
            {describeError(error)}
          </Alert>
        )}
        <Button type="submit" disabled={!isReady} loading={make.isPending || add.isPending}>
          Add{" "}
          {mode === "pairwise" ? countOf(targets.length, "pair") : countOf(tapeIds.length, "tape")}
        </Button>
      </Stack>
    </form>
  );
}

function tellPairs({ pairs, left_out: alone }: PairedTapes): string {
  if (pairs.length === 0)
    return "No two of these tapes are of one task. Select several attempts at the same tasks.";
  const told = `${countOf(pairs.length, "pair")}, each of two tapes of one task.`;
  if (alone.length === 0) return told;
  const are = alone.length === 1 ? "is left out: it has" : "are left out: they have";
  return `${told} ${countOf(alone.length, "tape")} ${are} no other tape of the same task here.`;
}

/** Keyboard users continue by keyboard: focus the chosen queue, or the name of a new one. */
function focusForm(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>("input:checked, [data-autofocus]")?.focus();
}

interface Adding {
  queue: Queue;
  targets: NonNullable<QueueIn["targets"]>;
}

function useAdd() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ queue, targets }: Adding) => addToQueue(queue.id, { targets, batch_id: null }),
    onSuccess: async (_, { queue }) => {
      await queries.invalidateQueries({ queryKey: queueKeys.all });
      await navigate(`/queues/${queue.id}`);
    },
  });
}
