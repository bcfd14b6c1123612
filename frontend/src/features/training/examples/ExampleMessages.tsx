/** The messages of an example's prompt, and the answer to learn. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { describeError } from "@/api/client";
import { exampleQuery } from "@/api/trainingExamples";
import classes from "@/features/training/examples/examples.module.css";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { FoldedText } from "@/ui/FoldedText";
import { ErrorState, RowsSkeleton } from "@/ui/States";

interface ExampleMessagesProps {
  setId: string;
  exampleId: string;
}

export function ExampleMessages({ setId, exampleId }: ExampleMessagesProps) {
  const example = useQuery(exampleQuery(setId, exampleId));
  if (example.data === undefined) {
    if (example.isPending) return <RowsSkeleton label="Loading the example" rows={6} />;
    return (
      <ErrorState
        title="The example could not be loaded"
        message={describeError(example.error)}
        onRetry={() => void example.refetch()}
      />
    );
  }
  const { messages, tools, answer, rejected } = example.data;
  return (
    <>
      {tools.length > 0 && <p className="ts-dimmed">{countOf(tools.length, "tool")} offered</p>}
      {messages.map((message, at) => (
        <Message key={at} message={message} use="" />
      ))}
      <Message
        message={{ role: "assistant", ...answer }}
        use={rejected === null ? "learnt" : "preferred"}
      />
      {rejected !== null && <Message message={{ role: "assistant", ...rejected }} use="original" />}
    </>
  );
}

type Content = Readonly<Record<string, unknown>>;

interface MessageProps {
  message: Content;
  use: "" | "learnt" | "preferred" | "original";
}

function Message({ message, use }: MessageProps) {
  const [isOpen, setOpen] = useState(false);
  const role = typeof message["role"] === "string" ? message["role"] : "";
  return (
    <div className={classes.message} data-use={use}>
      <span className="ts-dimmed">
        {visibleText(role)}
        {use !== "" && <strong> {use}</strong>}
      </span>
      <FoldedText text={textOf(message)} isMono isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
    </div>
  );
}

/** The text of a message, then its tool calls; content that is not text as JSON. */
function textOf({ content, tool_calls: calls }: Content): string {
  const text = typeof content === "string" ? content : asJson(content);
  return [text, calls === undefined ? "" : asJson(calls)].filter((part) => part !== "").join("\n");
}

function asJson(value: unknown): string {
  return value === undefined || value === null ? "" : JSON.stringify(value, null, 2);
}
