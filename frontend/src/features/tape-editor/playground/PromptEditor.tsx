/** The editable prompt: messages, tools, parameters. */
import { Button, Textarea } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";

import { MessageEditor } from "@/features/tape-editor/playground/MessageEditor";
import { jsonProblemOf } from "@/features/tape-editor/playground/playground";
import classes from "@/features/tape-editor/playground/playground.module.css";
import { usePlayground } from "@/features/tape-editor/playground/playgroundStore";
import { countOf } from "@/lib/format";

const OPEN_AT_FIRST = 3;
const SHOWN = 200;

export function PromptEditor() {
  const messages = usePlayground((playground) => playground.messages);
  const dispatch = usePlayground((playground) => playground.dispatch);
  const [open, setOpen] = useState<ReadonlySet<number>>(
    () => new Set(messages.slice(-OPEN_AT_FIRST).map(({ key }) => key)),
  );
  const [shown, setShown] = useState(SHOWN);
  const hidden = Math.max(0, messages.length - shown);
  const onToggle = (key: number) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  return (
    <section className={`ts-stack ${classes.prompt}`} aria-label="Prompt">
      <h2>{countOf(messages.length, "message")}</h2>
      {hidden > 0 && (
        <Button variant="subtle" onClick={() => setShown(shown + SHOWN)}>
          Show earlier messages ({hidden})
        </Button>
      )}
      <ol className={`ts-column ${classes.messages}`} start={hidden + 1}>
        {messages.slice(hidden).map((message, at) => (
          <MessageEditor
            key={message.key}
            message={message}
            number={hidden + at + 1}
            isOpen={open.has(message.key)}
            onToggle={() => onToggle(message.key)}
          />
        ))}
      </ol>
      <Button
        variant="default"
        leftSection={<IconPlus size={14} />}
        onClick={() => {
          onToggle(nextKeyOf(messages));
          dispatch({ type: "message.added", after: null });
        }}
      >
        Add a message
      </Button>
      <JsonField name="tools" label="Tools as JSON" />
      <JsonField name="parameters" label="Parameters as JSON" />
    </section>
  );
}

/** The next message's key: keys only increase, and opening an unknown key has no effect. */
function nextKeyOf(messages: readonly { key: number }[]): number {
  return Math.max(-1, ...messages.map(({ key }) => key)) + 1;
}

interface JsonFieldProps {
  name: "tools" | "parameters";
  label: string;
}

function JsonField({ name, label }: JsonFieldProps) {
  const text = usePlayground((playground) => playground[name]);
  const dispatch = usePlayground((playground) => playground.dispatch);
  return (
    <details className={classes.more} open={name === "parameters"}>
      <summary>
        {label}
        {text.trim() === "" && " (none)"}
      </summary>
      <Textarea
        aria-label={label}
        placeholder={name === "tools" ? "[]" : '{"temperature": 0.2}'}
        autosize
        minRows={2}
        maxRows={16}
        spellCheck={false}
        error={jsonProblemOf(text)}
        classNames={{ input: classes.json }}
        value={text}
        onChange={({ currentTarget }) =>
          dispatch({ type: `${name}.edited`, text: currentTarget.value })
        }
      />
    </details>
  );
}
