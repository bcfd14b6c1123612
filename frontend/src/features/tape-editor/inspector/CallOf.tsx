import { IconMessageOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { describeError } from "@/api/client";
import { callQuery } from "@/api/tapes";
import type { LLMCall } from "@/api/types";
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { StepLinks } from "@/features/tape-editor/inspector/StepLinks";
import { type StepRow, useTapeModel } from "@/features/tape-editor/editor";
import { EmptyState, ErrorState, RowsSkeleton } from "@/ui/States";

interface CallOfProps {
  row: StepRow;
  children: (call: LLMCall) => ReactNode;
}

/** Loads the LLM call behind a step, or explains why there is none and what is known instead. */
export function CallOf({ row, children }: CallOfProps) {
  const { tape } = useTapeModel();
  const callId = row.recorded?.call_id ?? null;
  const call = useQuery({ ...callQuery(tape.id, callId ?? ""), enabled: callId !== null });
  if (callId === null) {
    return (
      <>
        <EmptyState
          title="No LLM call behind this step"
          icon={<IconMessageOff size={24} stroke={1.5} />}
        >
          {explainMissingCall(row)}
        </EmptyState>
        <StepLinks row={row} />
      </>
    );
  }
  if (call.isPending) return <RowsSkeleton rows={8} label="Loading the LLM call" />;
  if (call.isError) {
    return (
      <ErrorState
        title="The LLM call could not be loaded"
        message={describeError(call.error)}
        onRetry={() => void call.refetch()}
      />
    );
  }
  return (
    <>
      {row.slot.written !== null && (
        <p className={classes.notice}>
          This is the call behind the recorded step; the step itself was edited.
        </p>
      )}
      {children(call.data)}
    </>
  );
}

/** What is known of a step without a recorded LLM call. */
export function explainMissingCall({ recorded }: Pick<StepRow, "recorded">): string {
  if (recorded === null) return "A person wrote it in this draft.";
  switch (recorded.writer) {
    case "environment":
      return "The environment wrote it.";
    case "person":
      return "A person wrote it.";
    case "agent":
      return `The node ${recorded.node === "" ? "of this step" : recorded.node} did not call a model.`;
    case "import":
      if (recorded.family === "observation") return "Observations are not written by a model.";
      return recorded.agent === ""
        ? "The imported file does not say who wrote it."
        : "The imported file has no call with this step's prompt id.";
  }
}
