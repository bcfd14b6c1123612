/** Tokens of each class with their price, the duration, and the totals. */
import { useQuery } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import type { CallSums, LLMCall } from "@/api/types";
import { totalsQuery } from "@/features/tape-editor/inspector/api";
import { CallOf } from "@/features/tape-editor/inspector/CallOf";
import { type Fact, FactList } from "@/ui/FactList";
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { PriceTable } from "@/features/tape-editor/inspector/PriceTable";
import { type StepRow, useTapeModel } from "@/features/tape-editor/editor";
import { formatTokens } from "@/lib/format";
import { prettyJson } from "@/lib/valueShapes";
import { visibleText } from "@/lib/visibleText";
import { Count, Duration, RelativeTime, SummedCost, Tokens } from "@/ui/Quantities";
import { ErrorState, RowsSkeleton } from "@/ui/States";

export function MetricsTab({ row }: { row: StepRow }) {
  return (
    <CallOf row={row}>
      {(call) => (
        <>
          <PriceTable
            lines={call.price_lines}
            cost={call.cost_micro_usd}
            isCached={call.is_cached}
            isEstimate={call.usage.is_estimate}
          />
          <FactList facts={timesOf(call)} />
          <Totals call={call} position={row.slot.origin ?? 0} />
          <FactList facts={parametersOf(call)} />
        </>
      )}
    </CallOf>
  );
}

function timesOf(call: LLMCall): Fact[] {
  return [
    ["Model", call.model_name === "" ? "not recorded" : visibleText(call.model_name)],
    ["Asked", <RelativeTime key="asked" value={call.started_at} />],
    ["Worked", <Duration key="whole" value={call.duration_seconds} />],
    ["First token", <Duration key="first" value={call.first_token_seconds} />],
    ["Speed", speedOf(call)],
  ];
}

/** In seconds. Scripted and recorded answers take less; a speed computed from it means nothing. */
const SHORTEST = 0.001;

/** Tokens a second while writing; over the complete answer if the first token's time is unknown. */
function speedOf({ usage, duration_seconds: whole, first_token_seconds: first }: LLMCall) {
  if (usage.output_tokens === null || whole === null) return "not known";
  const seconds = whole - (first ?? 0);
  if (seconds < SHORTEST) return "too short to tell";
  const speed = usage.output_tokens / seconds;
  return `${speed < 100 ? speed.toFixed(1) : formatTokens(Math.round(speed))} tokens/s`;
}

function Totals({ call, position }: { call: LLMCall; position: number }) {
  const { tape } = useTapeModel();
  const totals = useQuery(totalsQuery(tape.id, position));
  if (totals.isPending) return <RowsSkeleton rows={3} label="Loading totals" />;
  if (totals.isError) {
    return (
      <ErrorState
        title="The totals could not be loaded"
        message={describeError(totals.error)}
        onRetry={() => void totals.refetch()}
      />
    );
  }
  const { agent, tape: all, agent_name: name } = totals.data;
  const unpriced = Number(call.cost_micro_usd === null);
  const own: CallSums = { call_count: 1, unpriced_call_count: unpriced, ...call.usage, ...call };
  const columns: readonly Column[] = [
    { title: "This node run", hint: "", sums: own },
    {
      title: name === "" ? "Its agent so far" : `${visibleText(lastNameOf(name))} so far`,
      hint: visibleText(name),
      sums: agent,
    },
    { title: "Tape so far", hint: "", sums: all },
  ];
  return (
    <table className={classes.totals} aria-label="Totals up to this step">
      <thead>
        <tr>
          <td />
          {columns.map(({ title, hint }, at) => (
            <th key={at} scope="col" {...(hint !== "" && { title: hint })}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {SUMS.map(([title, draw]) => (
          <tr key={title}>
            <th scope="row" data-part={PARTS.has(title) || undefined}>
              {title}
            </th>
            {columns.map(({ sums }, at) => (
              <td key={at}>{draw(sums)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface Column {
  title: string;
  hint: string;
  sums: CallSums;
}

/** The name of a subagent without its team. */
function lastNameOf(agent: string): string {
  return agent.slice(agent.lastIndexOf("/") + 1);
}

/** Lines that are part of the line above. */
const PARTS = new Set(["cache read", "cache write", "reasoning"]);

const SUMS: readonly (readonly [string, (sums: CallSums) => React.ReactNode])[] = [
  ["Calls", (sums) => <Count value={sums.call_count} />],
  ["Input", (sums) => <Tokens value={sums.input_tokens} />],
  ["cache read", (sums) => <Tokens value={sums.cache_read_tokens} />],
  ["cache write", (sums) => <Tokens value={sums.cache_write_tokens} />],
  ["Output", (sums) => <Tokens value={sums.output_tokens} />],
  ["reasoning", (sums) => <Tokens value={sums.reasoning_tokens} />],
  ["Cost", (sums) => <SummedCost sum={costOf(sums)} />],
  ["Worked", (sums) => <Duration value={sums.duration_seconds} />],
];

function costOf({ cost_micro_usd: cost, call_count: calls, unpriced_call_count }: CallSums) {
  return { cost_micro_usd: cost ?? 0, llm_call_count: calls, unpriced_call_count };
}

function parametersOf(call: LLMCall): Fact[] {
  return Object.entries(call.llm).map(([name, value]) => [
    visibleText(name),
    visibleText(typeof value === "string" ? value : prettyJson(value)),
  ]);
}
