/** Removes the tapes that a bulk action made, once it has finished, and shows how many remain. */
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
  /** A confirmation to ask for, if making the tapes again would cost something. */
  question?: string;
  /** Other actions on the tapes, shown as long as the tapes exist. */
  children: ReactNode;
}

export function UndoMade({ undo, question, children }: UndoMadeProps) {
  const queries = useQueryClient();
  const undoing = useMutation({
    mutationFn: undo,
    onSuccess: () => queries.invalidateQueries({ queryKey: tapeKeys.all }),
  });
  if (undoing.isSuccess) {
    const { tape_count: count, kept_count: kept } = undoing.data;
    return (
      <p role="status">
        {countOf(count, "tape")} removed
        {kept > 0 && `; ${formatExact(kept)} kept because somebody forked or is running them`}.
      </p>
    );
  }
  return (
    <>
      {undoing.isError && <p role="alert">{describeError(undoing.error)}</p>}
      <Group gap={8}>
        {children}
        <ForWriters>
          {question === undefined ? (
            <Button variant="default" loading={undoing.isPending} onClick={() => undoing.mutate()}>
              Undo
            </Button>
          ) : (
            <ConfirmButton
              loading={undoing.isPending}
              question={question}
              confirm="Yes, undo"
              onConfirm={() => undoing.mutate()}
            >
              Undo
            </ConfirmButton>
          )}
        </ForWriters>
      </Group>
    </>
  );
}
