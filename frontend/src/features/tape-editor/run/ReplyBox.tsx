/** The run waits for a person: for text, a form from the requested schema, or an approval. */
import { Skeleton } from "@mantine/core";
import { IconHourglass } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import { jobQuery, replyToJob } from "@/api/jobs";
import { wholeStepQuery } from "@/api/tapes";
import type { Asks, ReplyIn } from "@/api/types";
import { useEditor } from "@/features/tape-editor/editor";
import { useRunJob } from "@/features/tape-editor/run/useLiveRun";
import { LeaveButtons } from "@/features/tape-editor/run/LeaveButtons";
import { ReplyForm } from "@/features/tape-editor/run/ReplyForm";
import { ReplyText } from "@/features/tape-editor/run/ReplyText";
import { keep, loadKept } from "@/features/tape-editor/run/keptReplies";
import classes from "@/features/tape-editor/run/run.module.css";
import { StepLink } from "@/features/tape-editor/run/StepLink";
import { isObject } from "@/lib/json";
import { toolCalls } from "@/lib/toolCalls";
import { visibleText } from "@/lib/visibleText";

export function ReplyBox() {
  const job = useRunJob();
  const tapeId = useEditor(({ live }) => live.tapeId);
  const dispatch = useEditor((editor) => editor.dispatch);
  const queries = useQueryClient();
  const reply = useMutation({
    mutationFn: (body: ReplyIn) => replyToJob(job?.id ?? "", body),
    // Cleared on sending: the next question may arrive before the response to this request.
    onMutate: () => {
      const kept = loadKept("reply", tapeId);
      keep("reply", tapeId, "");
      return kept;
    },
    onError: (_error, _body, kept) => keep("reply", tapeId, kept ?? ""),
    onSuccess: (answered) => {
      queries.setQueryData(jobQuery(answered.id).queryKey, answered);
      dispatch({ type: "run.answered" });
    },
  });
  // The job holds the question, and it may not be loaded yet.
  if (job?.state !== "waiting") return <Skeleton className={classes.replyWait} height={56} />;
  const asks = job.run?.asks ?? null;
  const error = reply.isError ? describeError(reply.error) : "";
  const fields = { tapeId, isPending: reply.isPending, error, onSend: reply.mutate };
  const question = asks === null ? "" : `${asks.position} ${asks.call_id}`;
  return (
    <section className={classes.replyBox} aria-label="Your answer">
      <Question asks={asks} />
      {asks !== null && asks.tool !== "" && <AskedCall tapeId={tapeId} asks={asks} />}
      {asks !== null && (asks.tool !== "" || asks.can_approve) && (
        <LeaveButtons
          canApprove={asks.can_approve}
          isPending={reply.isPending}
          onSend={reply.mutate}
        />
      )}
      {isForm(asks) ? (
        <ReplyForm key={question} {...fields} schema={asks.data_schema} />
      ) : (
        <ReplyText key={question} {...fields} label={labelOf(asks)} />
      )}
    </section>
  );
}

function Question({ asks }: { asks: Asks | null }) {
  if (asks === null || (asks.tool === "" && asks.data_schema === null)) return null;
  return (
    <p className={`ts-row ${classes.question}`}>
      <IconHourglass size={14} aria-hidden="true" />
      <span>{visibleText(asks.message)}</span>
      <StepLink position={asks.position} />
    </p>
  );
}

/** The tool call with its arguments, so that nobody has to look for it before answering. */
function AskedCall({ tapeId, asks }: { tapeId: string; asks: Asks }) {
  const step = useQuery(wholeStepQuery(tapeId, asks.position));
  const call = toolCalls(step.data?.body.tool_calls)?.find(({ id }) => id === asks.call_id);
  if (call === undefined || call.arguments === "") return null;
  return (
    <pre className={`ts-mono ${classes.askedCall}`} aria-label={`Arguments of ${call.name}`}>
      {visibleText(call.arguments)}
    </pre>
  );
}

function labelOf(asks: Asks | null): string {
  if (asks === null || asks.tool === "") return "The agent is waiting for your answer";
  return asks.can_approve ? "Or enter the result yourself" : `The result of ${asks.tool}`;
}

/** A plain text answer needs no form. */
function isForm(asks: Asks | null): asks is Asks & { data_schema: Record<string, unknown> } {
  if (asks === null || !isObject(asks.data_schema)) return false;
  return isObject(asks.data_schema.properties);
}
