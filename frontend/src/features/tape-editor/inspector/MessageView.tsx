/** One message of a prompt, which can be folded. */
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
  /** Its index in the prompt. */
  number?: number;
  /** About how many of the prompt's tokens it takes. */
  tokens?: number;
  /** The search words: only the text around them is shown. */
  search?: string;
  /** Folded until the person opens it; otherwise open until they fold it. */
  isFolded?: boolean;
}

/** One message as it was sent: role, text, tool calls, and any other fields. */
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
    return (
      <Excerpts text={searchableText(message)} search={search} onWhole={() => setWhole(true)} />
    );
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

/** The first words of a folded message. */
function firstWords({ content, tool_calls: calls }: Record<string, unknown>): string {
  const text = contentText(content).slice(0, FIRST).trim();
  const tools = toolCalls(calls)?.map(({ name }) => `${name}()`) ?? [];
  return visibleText(text === "" ? tools.join(", ") : text.replaceAll(/\s+/g, " "));
}

const ABOUT =
  "Approximate: the provider reports tokens for the whole prompt; this is the message's share by length.";

/** Data is shown as a tree, unless texts are shown raw. */
function Text({ slot, text }: { slot: string; text: string }) {
  const { isRendered } = useTextLook();
  const value = useMemo(() => (isRendered ? readJsonText(text) : null), [isRendered, text]);
  if (text === "") return null;
  if (value !== null) return <JsonTree slot={slot} value={value} />;
  return <PlainText slot={slot} text={text} />;
}

/** Content is text or a list of parts; other parts are shown as JSON, images separately. */
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

/** All of a message's text that a search may match. */
export function searchableText(message: Record<string, unknown>): string {
  const { role, content, ...rest } = message;
  const others = Object.values(rest).filter((value) => value !== null && value !== undefined);
  return [String(role), contentText(content), ...others.map(prettyJson)].join("\n");
}
