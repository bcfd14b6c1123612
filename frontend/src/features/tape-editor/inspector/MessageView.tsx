import { useState } from "react";

import { Excerpts } from "@/features/tape-editor/inspector/Excerpts";
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { formatTokens } from "@/lib/format";
import { isObject } from "@/lib/json";
import { mediaOf } from "@/lib/messagePieces";
import { reasoningOf } from "@/lib/reasoning";
import { toolCalls } from "@/lib/toolCalls";
import { prettyJson } from "@/lib/valueShapes";
import { visibleText } from "@/lib/visibleText";
import { FoldedText } from "@/ui/FoldedText";
import { useFold } from "@/ui/parts/folds";
import { StepParts, ToolCallView } from "@/ui/parts/StepParts";
import { Thought } from "@/ui/parts/Thought";

interface MessageViewProps {
  slot: string;
  message: Record<string, unknown>;
  /** Its number in the prompt. */
  number?: number;
  /** About how many tokens of the prompt are its own. */
  tokens?: number;
  /** Words that are looked for: only what is around them shows. */
  search?: string;
}

/** One message as it went over the wire: role, text, tool calls, and whatever else it holds. */
export function MessageView({ slot, message, number, tokens, search = "" }: MessageViewProps) {
  const [isWhole, setWhole] = useState(false);
  const { role, content, tool_calls: calls, ...beside } = message;
  const { text: thought, rest } = reasoningOf(beside);
  const tools = toolCalls(calls);
  const others = Object.entries({ ...rest, ...(tools === null && { tool_calls: calls }) }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return (
    <section className={classes.message} data-role={typeof role === "string" ? role : undefined}>
      <header className={`ts-caption ${classes.messageHead}`}>
        <span className={classes.role}>{visibleText(String(role))}</span>
        {number !== undefined && <span className={classes.messageNumber}>{number}</span>}
        {tokens !== undefined && (
          <span className={classes.tokenCount} title={ABOUT}>
            ≈ {formatTokens(tokens)} tokens
          </span>
        )}
      </header>
      {search !== "" && !isWhole ? (
        <Excerpts text={wholeText(message)} search={search} onWhole={() => setWhole(true)} />
      ) : (
        <>
          {thought !== null && <Thought slot={slot} text={thought} />}
          <Text slot={slot} text={contentText(content)} />
          <StepParts slot={`${slot}.media`} parts={mediaOf(content)} />
          {tools?.map((call, at) => (
            <ToolCallView key={at} slot={`${slot}.tool.${at}`} call={call} />
          ))}
          {others.map(([name, value]) => (
            <div key={name} className={classes.extra}>
              {visibleText(name)}: <span className="ts-mono">{visibleText(prettyJson(value))}</span>
            </div>
          ))}
        </>
      )}
    </section>
  );
}

const ABOUT =
  "Approximate: the provider reports tokens for the whole prompt; this is the message's share by length.";

function Text({ slot, text }: { slot: string; text: string }) {
  const [isOpen, onToggle] = useFold(slot);
  if (text === "") return null;
  return <FoldedText text={text} isOpen={isOpen} onToggle={onToggle} />;
}

/** Content is text, or a list of parts; parts that are no text show as JSON, images beside. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (content === null || content === undefined) return "";
  if (!Array.isArray(content)) return prettyJson(content);
  return content
    .map((part: unknown) => {
      if (isObject(part) && typeof part.text === "string") return part.text;
      return mediaOf([part]).length > 0 ? "" : prettyJson(part);
    })
    .filter((text) => text !== "")
    .join("\n");
}

/** Everything in a message that one may look for. */
export function wholeText(message: Record<string, unknown>): string {
  const { role, content, ...rest } = message;
  const others = Object.values(rest).filter((value) => value !== null && value !== undefined);
  return [String(role), contentText(content), ...others.map(prettyJson)].join("\n");
}
