/** Takes the tapes back that a bulk action made, once it has finished, and says how many stay. */
import { Button, Group } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { ForWriters } from "@/api/ForWriters";
import { describeError } from "@/api/client";
import { tapeKeys } from "@/api/tapes";
import type { Discarded } from "@/api/types";
import { countOf, formatExact } from "@/lib/format";
import { ConfirmButton } from "@/ui/ConfirmButton";

interface UndoMadeProps {
  undo: () => Promise<Discarded>;
  /** What to ask first, where getting the tapes again would cost something. */
  question?: string;
  /** What else may be done with the tapes, as long as they are there. */
  children: ReactNode;
}

export function UndoMade({ undo, question, children }: UndoMadeProps) {
  const queries = useQueryClient();
  const taken = useMutation({
    mutationFn: undo,
    onSuccess: () => queries.invalidateQueries({ queryKey: tapeKeys.all }),
  });
  if (taken.isSuccess) {
    const { tape_count: count, kept_count: kept } = taken.data;
    return (
      <p role="status">
        {countOf(count, "tape")} removed
        {kept > 0 && `; ${formatExact(kept)} kept because somebody forked or is running them`}.
      </p>
    );
  }
  return (
    <>
      {taken.isError && <p role="alert">{describeError(taken.error)}</p>}
      <Group gap={8}>
        {children}
        <ForWriters>
          {question === undefined ? (
            <Button variant="default" loading={taken.isPending} onClick={() => taken.mutate()}>
              Undo
            </Button>
          ) : (
            <ConfirmButton
              loading={taken.isPending}
              question={question}
              confirm="Yes, undo"
              onConfirm={() => taken.mutate()}
            >
              Undo
            </ConfirmButton>
          )}
        </ForWriters>
      </Group>
    </>
  );
}
