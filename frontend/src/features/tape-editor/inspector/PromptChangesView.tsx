/** A prompt compared with the same agent's previous one: what changed in messages sent before. */
import { useQuery } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import type { LLMCall } from "@/api/types";
import { changesQuery } from "@/features/tape-editor/inspector/api";
import { ChangeList } from "@/features/tape-editor/inspector/ChangeList";
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { messageAt } from "@/features/tape-editor/inspector/messageAt";
import { useTapeModel } from "@/features/tape-editor/editor";
import { ErrorState, RowsSkeleton } from "@/ui/States";

export function PromptChangesView({ call }: { call: LLMCall }) {
  const { tape } = useTapeModel();
  const changes = useQuery(changesQuery(tape.id, call.id));
  if (changes.isPending) return <RowsSkeleton rows={6} label="Comparing the prompts" />;
  if (changes.isError) {
    return (
      <ErrorState
        title="The prompts could not be compared"
        message={describeError(changes.error)}
        onRetry={() => void changes.refetch()}
      />
    );
  }
  return (
    <>
      {changes.data.has_other_tools && (
        <p className={classes.notice}>The tools differ from the previous call.</p>
      )}
      <ChangeList
        slot={call.id}
        changes={changes.data.changes}
        messageAt={(number) => messageAt(call, number)}
      />
    </>
  );
}
