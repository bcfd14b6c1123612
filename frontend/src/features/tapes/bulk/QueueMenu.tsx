/** Adds the selected tapes to one of the project's queues, or leads to a new queue. */
import { Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconUserCheck } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";

import { describeError } from "@/api/client";
import { addToQueue, queueKeys, queuesQuery } from "@/api/queues";
import { showLastingFailure } from "@/api/showFailure";
import { ALL_TAPES } from "@/api/tags";
import type { Queue } from "@/api/types";
import { AddToWords } from "@/features/tapes/bulk/AddToWords";
import type { Chosen } from "@/features/tapes/bulk/chosen";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

export function QueueMenu({ chosen }: { chosen: Chosen }) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const queues = useQuery({ ...queuesQuery(), enabled: isOpen });
  const add = useAdd(chosen);
  // Queues that compare take pairs, which are made on a separate page.
  const single = (queues.data?.items ?? []).filter(({ mode }) => mode === "single");
  const tapeIds = chosen.rows.map((row) => row.id);
  return (
    <Menu position="bottom-start" opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconUserCheck size={14} />}
          loading={add.isPending}
          aria-label="Add to queue"
        >
          <AddToWords noun="queue" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: "auto" }}>
        {queues.isError && <Menu.Label>{describeError(queues.error)}</Menu.Label>}
        {queues.isPending && <Menu.Label>Loading the queues</Menu.Label>}
        {single.map((queue) => (
          <Menu.Item key={queue.id} onClick={() => add.mutate(queue)}>
            {visibleText(queue.name)}
          </Menu.Item>
        ))}
        {single.length === 0 && queues.isSuccess && (
          <Menu.Label>No queues for tapes yet</Menu.Label>
        )}
        <Menu.Divider />
        {tapeIds.length > 0 ? (
          <Menu.Item onClick={() => void navigate("/queues/add", { state: { tapeIds } })}>
            New queue, or pairs…
          </Menu.Item>
        ) : (
          <Menu.Item onClick={() => void navigate("/queues")}>All queues</Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function useAdd(chosen: Chosen) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ id }: Queue) =>
      addToQueue(id, {
        targets: [],
        batch_id: null,
        selection: { ...ALL_TAPES, ...chosen.conditions },
      }),
    onSuccess: async ({ added_count: count }, { id, name }) => {
      await queries.invalidateQueries({ queryKey: queueKeys.all });
      const toast = notifications.show({
        title: `${countOf(count, "tape")} added to “${visibleText(name)}”`,
        message: (
          <Button
            variant="default"
            size="compact-xs"
            onClick={() => {
              notifications.hide(toast);
              void navigate(`/queues/${id}`);
            }}
          >
            Show the queue
          </Button>
        ),
      });
    },
    onError: (error) => showLastingFailure("The tapes were not added", error),
  });
}
