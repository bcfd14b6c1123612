/** What a person does in a queue besides answering: next, back, bring back. */
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";

import { describeError } from "@/api/client";
import { goBack, queueKeys, requeue } from "@/api/queues";
import { tapeKeys } from "@/api/tapes";

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
    forgetCounts(queries, queueId);
    setVisit((before) => before + 1);
  }, [queries, queueId]);
  const back = useMutation({
    mutationFn: () => goBack(queueId),
    onSuccess: (work) => {
      queries.setQueryData(queueKeys.work(queueId), work);
      forgetCounts(queries, queueId);
      setVisit((before) => before + 1);
    },
    onError: (error) => tell("Cannot go back", error),
  });
  const bringBack = useMutation({
    mutationFn: () => requeue(queueId, null),
    onSuccess: onNext,
    onError: (error) => tell("Nothing was restored", error),
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

/** What an answer changes: all that is known of the queues, but not the item in one's hands. */
function forgetCounts(queries: QueryClient, queueId: string): void {
  const [, , work] = queueKeys.work(queueId);
  void queries.invalidateQueries({
    queryKey: queueKeys.all,
    predicate: ({ queryKey }) => queryKey[2] !== work,
  });
  // What it says is on the tapes too, and may be their outcome.
  void queries.invalidateQueries({
    queryKey: tapeKeys.all,
    predicate: ({ queryKey }) => queryKey[2] === "annotations" || queryKey.length === 2,
  });
  void queries.invalidateQueries({ queryKey: tapeKeys.lists });
}

export function tell(title: string, error: unknown): void {
  notifications.show({ title, message: describeError(error), color: "red" });
}
