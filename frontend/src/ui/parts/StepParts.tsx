/** The parts of a step, each drawn by its type. */
import { IconTool } from "@tabler/icons-react";
import { useMemo } from "react";

import { isObject } from "@/lib/json";
import type { Pair, Part } from "@/lib/stepPart";
import { partsOfFields } from "@/lib/stepParts";
import type { ToolCallText } from "@/lib/toolCalls";
import { readJsonText } from "@/lib/valueShapes";
import { visibleText, withoutTerminalCodes } from "@/lib/visibleText";
import { CodeBlock } from "@/ui/parts/CodeBlock";
import { ErrorText } from "@/ui/parts/ErrorText";
import { useTextLook } from "@/ui/parts/folds";
import { ExternalLink } from "@/ui/parts/ExternalLink";
import { JsonTree } from "@/ui/parts/JsonTree";
import classes from "@/ui/parts/parts.module.css";
import { PlainText } from "@/ui/parts/PlainText";
import { Prose } from "@/ui/parts/Prose";
import { RecordTable } from "@/ui/parts/RecordTable";
import { TextList } from "@/ui/parts/TextList";
import { Thought } from "@/ui/parts/Thought";

interface StepPartsProps {
  /** Identifies the place, so that its open state is remembered. */
  slot: string;
  parts: readonly Part[];
  /** Fields that differ from the recorded step. */
  changed?: ReadonlySet<string>;
}

export function StepParts({ slot, parts, changed }: StepPartsProps) {
  return (
    <div className={`ts-stack ${classes.parts}`}>
      {parts.map((part) => (
        <div
          key={part.pointer}
          className={classes.part}
          data-field={part.type === "values" ? undefined : part.pointer}
          data-changed={isChanged(part, changed) || undefined}
        >
          {part.label !== null && (
            <div className={`ts-caption ${classes.label}`}>{visibleText(part.label)}</div>
          )}
          <PartView slot={`${slot}${part.pointer}`} part={part} />
        </div>
      ))}
    </div>
  );
}

function isChanged(part: Part, changed: ReadonlySet<string> | undefined): boolean {
  if (changed === undefined || changed.size === 0) return false;
  const pointers =
    part.type === "values" ? part.pairs.map(({ pointer }) => pointer) : [part.pointer];
  return pointers.some((pointer) => changed.has(fieldOf(pointer)));
}

function fieldOf(pointer: string): string {
  return (pointer.split("/")[1] ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
}

function PartView({ slot, part }: { slot: string; part: Part }) {
  const { isRendered } = useTextLook();
  const words = (text: string) => (isRendered ? withoutTerminalCodes(text) : text);
  switch (part.type) {
    case "values":
      return <Values pairs={part.pairs} />;
    case "tools":
      return part.calls.map((call, at) => (
        <ToolCallView key={at} slot={`${slot}/${at}`} call={call} />
      ));
    case "text":
      return part.look === "prose" ? (
        <Prose slot={slot} text={words(part.text)} />
      ) : (
        <PlainText slot={slot} text={words(part.text)} isMono={part.look === "mono"} />
      );
    case "code":
      return <CodeBlock slot={slot} text={words(part.text)} language={part.language} />;
    case "list":
      return <TextList slot={slot} items={part.items} isOrdered={part.isOrdered} />;
    case "table":
      return <RecordTable slot={slot} rows={part.rows} />;
    case "json":
      return <JsonTree slot={slot} value={part.value} />;
    case "image":
      return (
        <img
          className={`ts-panel ${classes.image}`}
          src={part.source}
          alt="From the tape"
          loading="lazy"
        />
      );
    case "page":
      return <PageText slot={slot} part={part} />;
    case "thought":
      return <Thought slot={slot} text={part.text} />;
    case "error":
      return <ErrorText slot={slot} text={words(part.text)} />;
    case "link":
      return <ExternalLink address={part.url} />;
    case "group":
      return (
        <div className={`ts-stack ${classes.group}`}>
          <StepParts slot={slot} parts={part.parts} />
        </div>
      );
  }
}

function Values({ pairs }: { pairs: readonly Pair[] }) {
  return (
    <dl className={classes.values}>
      {pairs.map(({ name, value, pointer }) => (
        <div key={pointer} className={classes.pair} data-field={pointer}>
          <dt>{visibleText(name)}</dt>
          <dd data-quiet={value === "null" || value === "" || undefined}>
            {value === "" ? "empty" : visibleText(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function PageText({ slot, part }: { slot: string; part: Extract<Part, { type: "page" }> }) {
  return (
    <>
      <div className={`ts-hint ${classes.pageHead}`}>
        <span>{part.place}</span>
        {part.url !== "" && <ExternalLink address={part.url} />}
      </div>
      <PlainText slot={slot} text={part.text} />
    </>
  );
}

interface ToolCallViewProps {
  slot: string;
  call: ToolCallText;
}

/** A tool call: its arguments by name, or as raw text if they cannot be parsed. */
export function ToolCallView({ slot, call }: ToolCallViewProps) {
  const parts = useMemo(() => {
    const given = readJsonText(call.arguments);
    return isObject(given) ? partsOfFields(given) : null;
  }, [call.arguments]);
  return (
    <div className={classes.tool}>
      <div className={`ts-row ${classes.toolName}`}>
        <IconTool size={14} stroke={1.75} aria-hidden="true" />
        <span className="ts-mono">{visibleText(call.name)}</span>
        {call.id !== "" && <span className={classes.toolId}>{visibleText(call.id)}</span>}
      </div>
      <div className={classes.arguments}>
        {parts !== null && <StepParts slot={`${slot}/arguments`} parts={parts} />}
        {parts === null && call.arguments !== "" && (
          <PlainText slot={`${slot}/arguments`} text={call.arguments} isMono />
        )}
      </div>
    </div>
  );
}
