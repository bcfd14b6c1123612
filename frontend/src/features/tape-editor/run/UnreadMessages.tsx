/** Messages that a person had sent or was typing when the run ended: none of them is lost. */
import { Button } from "@mantine/core";
import { IconMessageOff } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { describeError } from "@/api/client";
import { jobQuery, withdrawMessage } from "@/api/jobs";
import type { Job, SteerMessage } from "@/api/types";
import { useActions, useTapeModel } from "@/features/tape-editor/editor";
import { useRunJob } from "@/features/tape-editor/run/useLiveRun";
import { keep, type Kept, loadKept } from "@/features/tape-editor/run/keptReplies";
import classes from "@/features/tape-editor/run/run.module.css";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { copyText } from "@/ui/copyText";

const KINDS: readonly Kept[] = ["steer", "reply"];

export function UnreadMessages() {
  const { tape } = useTapeModel();
  const job = useRunJob();
  const [typed, setTyped] = useState(() =>
    KINDS.map((kind) => ({ kind, text: loadKept(kind, tape.id) })),
  );
  // Only a job that was loaded after its end has all queued messages.
  const queued = job === null || job.finished_at === null ? [] : job.control.messages;
  const drop = (kind: Kept) => {
    keep(kind, tape.id, "");
    setTyped(typed.filter((one) => one.kind !== kind));
  };
  const unsent = typed.filter(({ text }) => text !== "");
  if (queued.length + unsent.length === 0) return null;
  return (
    <ul className={`ts-column ${classes.unread}`} aria-label="Messages that the agent has not read">
      {job !== null &&
        queued.map((message) => <Queued key={message.id} job={job} message={message} />)}
      {unsent.map(({ kind, text }) => (
        <Words key={kind} why="Not sent" text={text} onTaken={() => drop(kind)} />
      ))}
    </ul>
  );
}

/** It is still queued in the job: a retry would deliver it. */
function Queued({ job, message }: { job: Job; message: SteerMessage }) {
  const queries = useQueryClient();
  const take = useMutation({
    mutationFn: () => withdrawMessage(job.id, message.id),
    onSuccess: (answered) => queries.setQueryData(jobQuery(job.id).queryKey, answered),
  });
  const error = take.isError ? describeError(take.error) : "";
  const { text, attachments } = message;
  const words = { text, attachments, error };
  return <Words why="Not read" {...words} onTaken={() => take.mutate()} />;
}

interface WordsProps {
  why: string;
  text: string;
  attachments?: SteerMessage["attachments"];
  error?: string;
  /** The message is in the draft now, or discarded. */
  onTaken: () => void;
}

function Words({ why, text, attachments = [], error = "", onTaken }: WordsProps) {
  const { slots, canEdit } = useTapeModel();
  const actions = useActions();
  return (
    <li>
      <IconMessageOff size={14} aria-hidden="true" />
      <span className="ts-dimmed">{why}:</span>
      <span className="ts-truncate">{visibleText(text)}</span>
      {attachments.length > 0 && (
        <span className="ts-dimmed">{countOf(attachments.length, "attachment")}</span>
      )}
      {error !== "" && (
        <span className="ts-bad" role="alert">
          {error}
        </span>
      )}
      <span className={`ts-row ${classes.end}`}>
        {canEdit && (
          <Button
            variant="default"
            title="Add this message at the end of the tape as your step, then resume"
            onClick={() => {
              const media = attachments.length > 0 ? { attachments } : {};
              actions.insert(slots.length, { kind: "user", content: text, ...media });
              onTaken();
            }}
          >
            Add as a step
          </Button>
        )}
        <Button variant="default" onClick={() => void copyText(text, "Message copied")}>
          Copy
        </Button>
        <Button variant="default" onClick={onTaken}>
          Discard
        </Button>
      </span>
    </li>
  );
}
