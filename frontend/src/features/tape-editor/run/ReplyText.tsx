import { Button, Textarea } from "@mantine/core";
import { useState } from "react";

import type { ReplyIn } from "@/api/types";
import { keep, loadKept } from "@/features/tape-editor/run/keptReplies";
import classes from "@/features/tape-editor/run/run.module.css";
import { isSendKey } from "@/features/tape-editor/run/sendKeys";
import { AttachmentBar } from "@/ui/attachments/AttachmentBar";
import { partsOfAttachments, useAttachments } from "@/ui/attachments/useAttachments";

export interface ReplyFieldsProps {
  tapeId: string;
  isPending: boolean;
  error: string;
  onSend: (body: ReplyIn) => void;
}

/** Enter sends, Shift+Enter starts a new line; unsent text survives a reload. */
export function ReplyText({
  tapeId,
  label,
  isPending,
  error,
  onSend,
}: ReplyFieldsProps & { label: string }) {
  const [text, setText] = useState(() => loadKept("reply", tapeId));
  const attachments = useAttachments();
  const send = () => {
    if (text.trim() === "" || isPending) return;
    onSend({ text, ...partsOfAttachments(attachments.items) });
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
          label={label}
          placeholder="Enter sends, Shift+Enter adds a line"
          autosize
          minRows={2}
          maxRows={10}
          value={text}
          error={error === "" ? null : error}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            keep("reply", tapeId, currentTarget.value);
          }}
          onKeyDown={(event) => {
            if (!isSendKey(event, "enter")) return;
            event.preventDefault();
            send();
          }}
        />
        <AttachmentBar {...attachments} />
      </div>
      <Button type="submit" disabled={text.trim() === ""} loading={isPending}>
        Send
      </Button>
    </form>
  );
}
