import { Button } from "@mantine/core";
import { useState } from "react";

import { blankData, SchemaForm } from "@/features/tape-editor/form";
import { keep, loadKept } from "@/features/tape-editor/run/keptReplies";
import type { ReplyFieldsProps } from "@/features/tape-editor/run/ReplyText";
import classes from "@/features/tape-editor/run/run.module.css";
import { isSendKey } from "@/features/tape-editor/run/sendKeys";
import { isObject, type JsonObject } from "@/lib/json";

interface ReplyFormProps extends ReplyFieldsProps {
  schema: JsonObject;
}

/** A form from the requested schema; the server checks the answer and explains errors. */
export function ReplyForm({ tapeId, schema, isPending, error, onSend }: ReplyFormProps) {
  const [data, setData] = useState<JsonObject>(() => readKept(tapeId) ?? blankData(schema));
  const send = () => {
    if (!isPending) onSend({ data });
  };
  return (
    // Ctrl+Enter sends from any of its fields.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className={classes.replyForm}
      aria-label="Answer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (!isSendKey(event, "newline")) return;
        event.preventDefault();
        send();
      }}
    >
      <SchemaForm
        schema={schema}
        value={data}
        onChange={(next) => {
          setData(next);
          keep("reply", tapeId, JSON.stringify(next));
        }}
      />
      <div className={`ts-row ${classes.replyFoot}`}>
        {error !== "" && (
          <span className="ts-bad" role="alert">
            {error}
          </span>
        )}
        <Button type="submit" loading={isPending} title="Send (Ctrl or ⌘ Enter)">
          Send
        </Button>
      </div>
    </form>
  );
}

function readKept(tapeId: string): JsonObject | null {
  try {
    const kept: unknown = JSON.parse(loadKept("reply", tapeId));
    return isObject(kept) ? kept : null;
  } catch {
    return null;
  }
}
