/** What a person does in a queue besides answering: next, back, bring back. */
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";

import { describeError } from "@/api/client";
import { goBack, queueKeys, requeue } from "@/api/queues";

export interface WorkActions {
  /** Take the next item; resolves when it is there. */
  onNext: () => Promise<void>;
  onBack: () => void;
  isGoingBack: boolean;
  onRequeue: () => void;
  /** Another number for each time that one comes to an item. */
  visit: number;
}

export function useWork(queueId: string): WorkActions {
  const queries = useQueryClient();
  const [visit, setVisit] = useState(0);
  const onNext = useCallback(async () => {
    await queries.refetchQueries({ queryKey: queueKeys.work(queueId) });
    void queries.invalidateQueries({ queryKey: queueKeys.queue(queueId), exact: true });
    setVisit((before) => before + 1);
  }, [queries, queueId]);
  const back = useMutation({
    mutationFn: () => goBack(queueId),
    onSuccess: (work) => {
      queries.setQueryData(queueKeys.work(queueId), work);
      void queries.invalidateQueries({ queryKey: queueKeys.queue(queueId), exact: true });
      setVisit((before) => before + 1);
    },
    onError: (error) => tell("There is no way back", error),
  });
  const bringBack = useMutation({
    mutationFn: () => requeue(queueId, null),
    onSuccess: onNext,
    onError: (error) => tell("Nothing was brought back", error),
  });
  const { mutate } = back;
  const onBack = useCallback(() => mutate(), [mutate]);
  return {
    onNext,
    onBack,
    isGoingBack: back.isPending,
    onRequeue: () => bringBack.mutate(),
    visit,
  };
}

export function tell(title: string, error: unknown): void {
  notifications.show({ title, message: describeError(error), color: "red" });
}
