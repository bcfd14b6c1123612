/** Creates a queue without tapes; they are added from the list of tapes. */
import { Alert, Button, Drawer, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";

import { describeError } from "@/api/client";
import { createQueue, presetsQuery, queueKeys, rubricKeys, rubricsQuery } from "@/api/queues";
import type { QueueIn } from "@/api/types";
import { QueueFields } from "@/features/annotate/QueueFields";
import { NEW_QUEUE, rubricChoices } from "@/features/annotate/queueForm";

interface QueueDrawerProps {
  opened: boolean;
  onClose: () => void;
}

export function QueueDrawer({ opened, onClose }: QueueDrawerProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={440}
      transitionProps={{ duration: 150, exitDuration: 0 }}
      title="Create a queue"
    >
      <NewQueue />
    </Drawer>
  );
}

function NewQueue() {
  const choices = useRubricChoices();
  const [queue, setQueue] = useState<QueueIn>(NEW_QUEUE);
  const make = useMakeQueue();
  const isReady = queue.name.trim() !== "";
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) make.mutate(queue);
      }}
    >
      <Stack gap={12}>
        <QueueFields
          queue={queue}
          choices={choices}
          onChange={(part) => setQueue({ ...queue, ...part })}
        />
        {make.isError && (
          <Alert color="red" role="alert" title="The queue was not created">
            {describeError(make.error)}
          </Alert>
        )}
        <Button type="submit" disabled={!isReady} loading={make.isPending}>
          Create queue
        </Button>
      </Stack>
    </form>
  );
}

/** The rubrics that a queue may use; only the presets until the project's have loaded. */
export function useRubricChoices() {
  const rubrics = useQuery(rubricsQuery());
  const presets = useQuery(presetsQuery());
  return rubricChoices(rubrics.data ?? [], presets.data ?? []);
}

/** Create a queue and open it. */
export function useMakeQueue() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: createQueue,
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: queueKeys.all });
      await queries.invalidateQueries({ queryKey: rubricKeys.all });
      await navigate(`/queues/${id}`);
    },
  });
}
