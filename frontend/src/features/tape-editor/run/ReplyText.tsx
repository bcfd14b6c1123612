import { Button, Textarea } from "@mantine/core";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";

import type { ReplyIn } from "@/api/types";
import { useEditorApi } from "@/features/tape-editor/editor";
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

/** Has the focus when the agent starts to wait. Enter sends, Shift+Enter starts a new line; unsent
 * text survives a reload. */
export function ReplyText({
  tapeId,
  label,
  isPending,
  error,
  onSend,
}: ReplyFieldsProps & { label: string }) {
  const [text, setText] = useState(() => loadKept("reply", tapeId));
  const attachments = useAttachments();
  const field = useRef<HTMLTextAreaElement>(null);
  useFocusOnWait(field);
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
          ref={field}
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

/** Takes no focus from another field or card, nor from somebody who goes through the steps by key:
 * unless the dialogue goes on from this page. */
function useFocusOnWait(field: RefObject<HTMLTextAreaElement | null>): void {
  const [params] = useSearchParams();
  const store = useEditorApi();
  const isReading = useRef(params.has("step"));
  useEffect(() => {
    const isFree = document.activeElement === null || document.activeElement === document.body;
    const isTalking = store.getState().live.startCount > 0;
    if (isFree && (isTalking || !isReading.current)) field.current?.focus({ preventScroll: true });
  }, [field, store]);
}
