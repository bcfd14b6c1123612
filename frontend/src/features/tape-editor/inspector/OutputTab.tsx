/** The model's answer as received, next to the steps that were made from it. */
import { useQuery } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import type { LLMCall, ParsedOutput } from "@/api/types";
import { parsedQuery } from "@/features/tape-editor/inspector/api";
import { CallOf } from "@/features/tape-editor/inspector/CallOf";
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { JsonBlock } from "@/features/tape-editor/inspector/JsonBlock";
import { Logprobs } from "@/features/tape-editor/inspector/Logprobs";
import { MadeSteps } from "@/features/tape-editor/inspector/MadeSteps";
import { MarkedText } from "@/features/tape-editor/inspector/MarkedText";
import { leftOver, marksOf } from "@/features/tape-editor/inspector/outputParts";
import { type StepRow, useTapeModel } from "@/features/tape-editor/editor";
import { toolCalls } from "@/lib/toolCalls";
import { visibleText } from "@/lib/visibleText";
import { ToolCallView } from "@/ui/parts/StepParts";
import { Thought } from "@/ui/parts/Thought";
import { ErrorState, RowsSkeleton } from "@/ui/States";

export function OutputTab({ row }: { row: StepRow }) {
  return <CallOf row={row}>{(call) => <Output call={call} />}</CallOf>;
}

function Output({ call }: { call: LLMCall }) {
  const { tape } = useTapeModel();
  const parsed = useQuery(parsedQuery(tape.id, call.id));
  return (
    <>
      <div className={`ts-row ts-hint ${classes.bar}`}>
        <span>{call.model_name === "" ? "Model not recorded" : visibleText(call.model_name)}</span>
        <FinishReason reason={call.finish_reason} />
      </div>
      {call.error !== "" && <p className={classes.bad}>{visibleText(call.error)}</p>}
      {parsed.isPending && <RowsSkeleton rows={4} label="Reading the answer" />}
      {parsed.isError && (
        <ErrorState
          title="The parsed answer could not be loaded"
          message={describeError(parsed.error)}
          onRetry={() => void parsed.refetch()}
        />
      )}
      <Parts call={call} parsed={parsed.data ?? NOTHING_PARSED} />
      <Logprobs call={call} />
      <details className={classes.details}>
        <summary>Raw answer</summary>
        <JsonBlock slot={`${call.id}.raw`} label="Raw" value={call.output} />
      </details>
    </>
  );
}

const NOTHING_PARSED: ParsedOutput = { positions: [], parts: [], problem: null };

function FinishReason({ reason }: { reason: string }) {
  if (reason === "") return null;
  const isCut = reason === "length" || reason === "content_filter";
  return (
    <span
      className={isCut ? classes.warn : undefined}
      title={isCut ? "The answer was cut off" : undefined}
    >
      finish reason {visibleText(reason)}
    </span>
  );
}

function Parts({ call, parsed }: { call: LLMCall; parsed: ParsedOutput }) {
  const { content, reasoning_content: reasoning, tool_calls: calls } = call.output;
  const { problem } = parsed;
  const tools = toolCalls(calls) ?? [];
  const isEmpty = tools.length === 0 && !isText(content) && !isText(reasoning);
  return (
    <>
      {problem !== null && <Problem problem={problem} />}
      {isText(reasoning) && (
        <Pair name="Reasoning" positions={positionsOf(parsed, "reasoning")}>
          <Thought slot={`${call.id}.reasoning`} text={reasoning} />
        </Pair>
      )}
      {isText(content) && (
        <Pair name="Text" positions={positionsOf(parsed, "content")}>
          <MarkedText text={content} marks={marksOf(parsed)} />
        </Pair>
      )}
      {tools.map((tool, at) => (
        <Pair
          key={at}
          name={`Tool call ${at + 1}`}
          positions={positionsOf(parsed, "tool_call", at)}
        >
          {problem?.part === "tool_call" && problem.index === at && problem.start !== null ? (
            <MarkedText text={tool.arguments} marks={[{ ...placeOf(problem), isProblem: true }]} />
          ) : (
            <ToolCallView slot={`${call.id}.out.${at}`} call={tool} />
          )}
        </Pair>
      ))}
      {isEmpty && call.error === "" && (
        <p className={classes.same}>The model returned an empty answer.</p>
      )}
      {leftOver(parsed).length > 0 && (
        <Pair name="Written by the node itself" positions={leftOver(parsed)}>
          {null}
        </Pair>
      )}
    </>
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function placeOf({ start, end }: { start: number | null; end: number | null }) {
  return { start: start ?? 0, end: end ?? 0, positions: [] };
}

function positionsOf(parsed: ParsedOutput, part: string, index: number | null = null): number[] {
  return parsed.parts
    .filter((known) => known.part === part && known.index === index)
    .flatMap(({ positions }) => positions);
}

function Problem({ problem }: { problem: NonNullable<ParsedOutput["problem"]> }) {
  return (
    <p className={classes.bad} role="alert">
      {problem.line !== null && (
        <strong>
          Line {problem.line}, column {problem.column}:{" "}
        </strong>
      )}
      {visibleText(problem.message)}
    </p>
  );
}

interface PairProps {
  name: string;
  positions: readonly number[];
  children: React.ReactNode;
}

/** A piece of the answer, and the steps that it became. */
function Pair({ name, positions, children }: PairProps) {
  return (
    <section className={classes.pair} aria-label={name}>
      <div className={classes.raw}>
        <h2 className={`ts-caption ${classes.blockName}`}>{name}</h2>
        {children}
      </div>
      <MadeSteps positions={positions} />
    </section>
  );
}
