import { Button, CloseButton, Textarea } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { describeError } from "@/api/client";
import { jobQuery, steerJob } from "@/api/jobs";
import type { Job } from "@/api/types";
import { useEditor } from "@/features/tape-editor/editor";
import { keep, loadKept } from "@/features/tape-editor/run/keptReplies";
import classes from "@/features/tape-editor/run/run.module.css";
import { isSendKey } from "@/features/tape-editor/run/sendKeys";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { AttachmentBar } from "@/ui/attachments/AttachmentBar";
import {
  type Attachment,
  partsOfAttachments,
  useAttachments,
} from "@/ui/attachments/useAttachments";

interface SteerBoxProps {
  job: Job | null;
  isOpen: boolean;
  onClose: () => void;
}

/** A message for the agent's next turn; it is queued until it is on the tape. */
export function SteerBox({ job, isOpen, onClose }: SteerBoxProps) {
  const queued = job?.control.messages ?? [];
  return (
    <div className={classes.steer}>
      {queued.length > 0 && (
        <ul className={`ts-column ${classes.queued}`} aria-label="Queued messages">
          {queued.map(({ id, text, by, attachments }) => (
            <li key={id}>
              <IconClock size={14} aria-hidden="true" />
              <span className="ts-dimmed">Queued{by === "" ? "" : ` by ${visibleText(by)}`}:</span>
              <span className="ts-truncate">{visibleText(text)}</span>
              {attachments.length > 0 && (
                <span className="ts-dimmed">{countOf(attachments.length, "attachment")}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      {isOpen && job !== null && <SteerForm job={job} onClose={onClose} />}
    </div>
  );
}

interface SteerInput {
  text: string;
  images: readonly Attachment[];
}

/** Typed text is kept until it is queued, because the run may end during typing. */
function SteerForm({ job, onClose }: { job: Job; onClose: () => void }) {
  const queries = useQueryClient();
  const tapeId = useEditor(({ live }) => live.tapeId);
  const [text, setText] = useState(() => loadKept("steer", tapeId));
  const attachments = useAttachments();
  const type = (typed: string) => {
    setText(typed);
    keep("steer", tapeId, typed);
  };
  const steer = useMutation({
    mutationFn: ({ text: words, images }: SteerInput) =>
      steerJob(job.id, { text: words, ...partsOfAttachments(images) }),
    onSuccess: (answered, { text: sent, images }) => {
      queries.setQueryData(jobQuery(answered.id).queryKey, answered);
      // Anything typed while the message was being sent stays in the field.
      const left = loadKept("steer", tapeId);
      type(left.startsWith(sent) ? left.slice(sent.length) : left);
      attachments.forget(images);
    },
  });
  const send = () => {
    if (text.trim() !== "" && !steer.isPending) steer.mutate({ text, images: attachments.items });
  };
  return (
    <form
      className={classes.reply}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className={classes.replyText} {...attachments.target}>
        <Textarea
          aria-label="Message to the agent"
          placeholder="The agent reads this on its next turn"
          autosize
          minRows={1}
          maxRows={6}
          data-autofocus
          value={text}
          error={steer.isError ? describeError(steer.error) : null}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={(event) => {
            if (!isSendKey(event, "enter")) return;
            event.preventDefault();
            send();
          }}
        />
        <AttachmentBar {...attachments} />
      </div>
      <Button type="submit" disabled={text.trim() === ""} loading={steer.isPending}>
        Queue
      </Button>
      <CloseButton size={28} aria-label="Close" onClick={onClose} />
    </form>
  );
}
