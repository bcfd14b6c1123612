/** One message of a prompt, which folds. */
import { IconChevronRight } from "@tabler/icons-react";
import { useMemo, useState } from "react";

import { Excerpts } from "@/features/tape-editor/inspector/Excerpts";
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { formatTokens } from "@/lib/format";
import { isObject } from "@/lib/json";
import { mediaOf } from "@/lib/messagePieces";
import { reasoningOf } from "@/lib/reasoning";
import { toolCalls } from "@/lib/toolCalls";
import { prettyJson, readJsonText } from "@/lib/valueShapes";
import { visibleText } from "@/lib/visibleText";
import { useFold, useTextLook } from "@/ui/parts/folds";
import { JsonTree } from "@/ui/parts/JsonTree";
import { PlainText } from "@/ui/parts/PlainText";
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
  /** Folded until it is opened; otherwise open until it is folded. */
  isFolded?: boolean;
}

/** One message as it went over the wire: role, text, tool calls, and whatever else it holds. */
export function MessageView(props: MessageViewProps) {
  const { slot, message, number, tokens, search = "", isFolded = false } = props;
  const [isToggled, onToggle] = useFold(`${slot}#${isFolded ? "opened" : "folded"}`);
  const isOpen = search !== "" || isToggled === isFolded;
  return (
    <section
      className={classes.message}
      data-role={typeof message.role === "string" ? message.role : undefined}
    >
      <button
        type="button"
        className={`ts-caption ${classes.messageHead}`}
        aria-expanded={isOpen}
        disabled={search !== ""}
        onClick={onToggle}
      >
        <IconChevronRight className={classes.foldSign} size={12} aria-hidden="true" />
        <span className={classes.role}>{visibleText(String(message.role))}</span>
        {number !== undefined && <span className={classes.messageNumber}>{number}</span>}
        {!isOpen && (
          <span className={`ts-truncate ${classes.firstWords}`}>{firstWords(message)}</span>
        )}
        {tokens !== undefined && (
          <span className={classes.tokenCount} title={ABOUT}>
            ≈ {formatTokens(tokens)} tokens
          </span>
        )}
      </button>
      {isOpen && <Body slot={slot} message={message} search={search} />}
    </section>
  );
}

type BodyProps = Required<Pick<MessageViewProps, "slot" | "message" | "search">>;

function Body({ slot, message, search }: BodyProps) {
  const [isWhole, setWhole] = useState(false);
  const { content, tool_calls: calls } = message;
  const { text: thought, rest } = reasoningOf(message);
  const tools = toolCalls(calls);
  const others = Object.entries(rest).filter(
    ([name, value]) =>
      !(DRAWN.has(name) || (name === "tool_calls" && tools !== null)) &&
      value !== null &&
      value !== undefined,
  );
  if (search !== "" && !isWhole) {
    return <Excerpts text={wholeText(message)} search={search} onWhole={() => setWhole(true)} />;
  }
  return (
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
  );
}

const DRAWN = new Set(["role", "content"]);
const FIRST = 200;

/** What a folded message begins with. */
function firstWords({ content, tool_calls: calls }: Record<string, unknown>): string {
  const text = contentText(content).slice(0, FIRST).trim();
  const tools = toolCalls(calls)?.map(({ name }) => `${name}()`) ?? [];
  return visibleText(text === "" ? tools.join(", ") : text.replaceAll(/\s+/g, " "));
}

const ABOUT =
  "Approximate: the provider reports tokens for the whole prompt; this is the message's share by length.";

/** Data reads as a tree where texts are not shown as they are written. */
function Text({ slot, text }: { slot: string; text: string }) {
  const { isRendered } = useTextLook();
  const value = useMemo(() => (isRendered ? readJsonText(text) : null), [isRendered, text]);
  if (text === "") return null;
  if (value !== null) return <JsonTree slot={slot} value={value} />;
  return <PlainText slot={slot} text={text} />;
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
