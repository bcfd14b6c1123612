/** An example: the messages of a prompt, and the answer that is learnt. */
import { useState } from "react";

import { readOrigin } from "@/api/training";
import type { TrainingExample } from "@/api/types";
import { OriginLink } from "@/features/training/OriginLink";
import classes from "@/features/training/training.module.css";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { FoldedText } from "@/ui/FoldedText";

interface ExampleCardProps {
  example: TrainingExample;
  /** Counted from one. */
  number: number;
}

export function ExampleCard({ example, number }: ExampleCardProps) {
  const origin = readOrigin(example.origin);
  return (
    <article className={classes.example} aria-label={`Example ${number}`}>
      <div className="ts-row">
        <h3>Example {number}</h3>
        {example.tools.length > 0 && (
          <span className="ts-dimmed">{countOf(example.tools.length, "tool")}</span>
        )}
        {origin !== null && <OriginLink origin={origin} />}
      </div>
      {example.messages.map((message, at) => (
        <Message key={at} message={message} />
      ))}
      <Message message={{ role: "assistant", ...example.answer }} isLearnt />
    </article>
  );
}

type Content = Readonly<Record<string, unknown>>;

function Message({ message, isLearnt = false }: { message: Content; isLearnt?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const role = typeof message["role"] === "string" ? message["role"] : "";
  return (
    <div className={classes.message} data-learnt={isLearnt || undefined}>
      <span className="ts-dimmed">
        {visibleText(role)}
        {isLearnt && <strong> learnt</strong>}
      </span>
      <FoldedText text={textOf(message)} isMono isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
    </div>
  );
}

/** What a message says, then what it calls; parts that are no text as JSON. */
function textOf({ content, tool_calls: calls }: Content): string {
  const said = typeof content === "string" ? content : asJson(content);
  return [said, calls === undefined ? "" : asJson(calls)].filter((part) => part !== "").join("\n");
}

function asJson(value: unknown): string {
  return value === undefined || value === null ? "" : JSON.stringify(value, null, 2);
}
