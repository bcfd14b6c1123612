/** Changes a queue's name, lock and people; its rubric is fixed, because answers depend on it. */
import { Alert, Button, Drawer, NumberInput, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { describeError } from "@/api/client";
import { changeQueue, queueKeys, queueQuery } from "@/api/queues";
import type { Queue } from "@/api/types";
import { PeopleSelect } from "@/features/annotate/PeopleSelect";

export function EditQueueButton({ queue }: { queue: Queue }) {
  const [isOpen, setOpen] = useState(false);
  const onClose = () => setOpen(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Edit
      </Button>
      <Drawer
        opened={isOpen}
        onClose={onClose}
        position="right"
        size={440}
        transitionProps={{ duration: 150, exitDuration: 0 }}
        title="Edit the queue"
      >
        <EditQueue queue={queue} onDone={onClose} />
      </Drawer>
    </>
  );
}

function EditQueue({ queue, onDone }: { queue: Queue; onDone: () => void }) {
  const [name, setName] = useState(queue.name);
  const [lockMinutes, setLockMinutes] = useState(queue.lock_minutes);
  const [people, setPeople] = useState(queue.people.map(({ id }) => id));
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: () =>
      changeQueue(queue.id, { name: name.trim(), lock_minutes: lockMinutes, people }),
    onSuccess: (changed) => {
      // Before the refetch: the page behind the drawer shows the new name and lock immediately.
      queries.setQueryData(queueQuery(queue.id).queryKey, changed);
      onDone();
      return queries.invalidateQueries({ queryKey: queueKeys.all });
    },
  });
  const isReady = name.trim() !== "";
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) change.mutate();
      }}
    >
      <Stack gap={12}>
        <TextInput
          label="Name"
          data-autofocus
          maxLength={200}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <NumberInput
          label="Lock (minutes)"
          description="Applies to items opened from now on."
          min={1}
          max={10_080}
          allowDecimal={false}
          value={lockMinutes}
          onChange={(value) => setLockMinutes(Number(value) || 1)}
        />
        <PeopleSelect people={people} onChange={setPeople} />
        {change.isError && (
          <Alert color="red" role="alert" title="The queue was not changed">
            {describeError(change.error)}
          </Alert>
        )}
        <Button type="submit" disabled={!isReady} loading={change.isPending}>
          Save
        </Button>
      </Stack>
    </form>
  );
}
