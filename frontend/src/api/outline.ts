/** The outline of a tape: columns as the server sends them; rows are built when they are read. */
import { queryOptions } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import { tapeKeys } from "@/api/tapes";
import type { OutlinePage, OutlineRow } from "@/api/types";
import { takeTurns } from "@/lib/takeTurns";

/** The server's page limit. */
export const OUTLINE_PAGE = 1000;

export type Family = OutlineRow["family"];

/** What is known of the recorded steps without their bodies, by position. */
export interface Outline {
  /** How many steps the tape has, whether or not they are known here. */
  readonly length: number;
  /** `undefined` for a step whose page has not loaded. Returns the same object each time. */
  at: (position: number) => OutlineRow | undefined;
  /** About how many lines a folded card shows of the step; `undefined` if it has not loaded. */
  linesAt: (position: number) => number | undefined;
  /** Whether a node run begins with the step, read from the columns alone. */
  beginsRun: (position: number) => boolean;
  /** Whose step it is of agents that were called together, read from the columns alone. */
  laneAt: (position: number) => string;
  /** Who wrote the step, read from the columns alone; empty if no agent did. */
  authorAt: (position: number) => Author | undefined;
  /** Every kind on the tape, as far as it is known. */
  kinds: () => ReadonlySet<string>;
  /** The agents that wrote the tape, as far as it is known: each where its steps begin. */
  writers: () => readonly Writer[];
  /** The LLM calls behind the steps that are known, each counted once. */
  countCalls: () => CallCounts;
}

/** A section of a tape written by one root agent with its team. */
export interface Writer {
  agent: string;
  /** Position of its first step. */
  from: number;
}

export interface Author {
  agent: string;
  node: string;
}

export interface CallCounts {
  count: number;
  /** How many of them have no known cost. */
  unpriced: number;
}

/** One page, with the rows that have been read from it. */
export interface ReadPage {
  columns: OutlinePage;
  rows: OutlineRow[];
}

/** A browser opens six connections to a server: two of them are enough for what is out of sight. */
const takeTurn = takeTurns(2);

export function outlinePageQuery(tapeId: string, start: number) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "outline", start],
    queryFn: ({ signal }) => takeTurn(() => loadPage(tapeId, start, signal)),
    // Recorded steps never change; only a page that is not full can grow.
    staleTime: ({ state: { data } }) =>
      data !== undefined && isFull(data) ? "static" : SETTLED_MS,
    refetchOnWindowFocus: false,
    // Nothing compares pages, and walking through thousands of values takes time.
    structuralSharing: false,
  });
}

const SETTLED_MS = 10_000;

function isFull({ columns }: ReadPage): boolean {
  return columns.kind.length === OUTLINE_PAGE;
}

/** Whether a page was loaded before the tape had all of its current steps. */
export function isBehind({ columns }: ReadPage, stepCount: number): boolean {
  return columns.start + columns.kind.length < Math.min(columns.start + OUTLINE_PAGE, stepCount);
}

async function loadPage(tapeId: string, start: number, signal: AbortSignal): Promise<ReadPage> {
  const columns = await unwrap(
    client.GET("/api/v1/tapes/{tape_id}/outline", {
      params: { path: { tape_id: tapeId }, query: { start, count: OUTLINE_PAGE } },
      signal,
    }),
  );
  return { columns, rows: [] };
}

/** Where the tape's pages start; the page with the step that is shown first comes first. */
export function pageStarts(stepCount: number, position: number): number[] {
  const starts: number[] = [];
  for (let start = 0; start < stepCount; start += OUTLINE_PAGE) starts.push(start);
  const first = Math.floor(Math.min(position || 0, stepCount - 1) / OUTLINE_PAGE);
  return [...starts.slice(first), ...starts.slice(0, first).reverse()];
}

/** Build the outline from its pages; steps that no page has come from `others`. */
export function buildOutline(
  length: number,
  pages: readonly (ReadPage | undefined)[],
  others?: ReadonlyMap<number, OutlineRow>,
): Outline {
  const byNumber: (ReadPage | undefined)[] = [];
  for (const page of pages) {
    if (page !== undefined) byNumber[page.columns.start / OUTLINE_PAGE] = page;
  }
  const pageOf = (position: number) => pageAt(byNumber, position);
  const at = (position: number) => {
    const page = pageOf(position);
    return page === undefined ? others?.get(position) : rowOf(page, position);
  };
  return {
    length,
    at,
    linesAt: (position) => pageOf(position)?.columns.lines[position % OUTLINE_PAGE],
    beginsRun: (position) => {
      const page = pageOf(position);
      return page !== undefined && beginsRun(page.columns, position % OUTLINE_PAGE);
    },
    laneAt: (position) => {
      const page = pageOf(position);
      if (page === undefined) return others?.get(position)?.lane ?? "";
      return named(page.columns.lanes, page.columns.lane, position % OUTLINE_PAGE);
    },
    authorAt: (position) => {
      const page = pageOf(position);
      if (page === undefined) return others?.get(position);
      const place = position % OUTLINE_PAGE;
      const { agents, agent, nodes, node } = page.columns;
      return { agent: named(agents, agent, place), node: named(nodes, node, place) };
    },
    kinds: () => {
      const kinds = new Set(pages.flatMap((page) => page?.columns.kinds ?? []));
      for (const { kind } of others?.values() ?? []) kinds.add(kind);
      return kinds;
    },
    writers: () => findWriters(length, byNumber, others),
    countCalls: () => countCalls(pages, others),
  };
}

function findWriters(
  length: number,
  pages: readonly (ReadPage | undefined)[],
  others: ReadonlyMap<number, OutlineRow> | undefined,
): Writer[] {
  const found: Writer[] = [];
  const add = (path: string, from: number) => {
    const agent = path.split("/", 1)[0] ?? "";
    if (agent !== "" && agent !== found.at(-1)?.agent) found.push({ agent, from });
  };
  for (const page of pages) {
    if (page === undefined) continue;
    const { agents, agent, start } = page.columns;
    let last = -1;
    agent.forEach((number, place) => {
      if (number !== last) add(agents[number] ?? "", start + place);
      last = number;
    });
  }
  const streamed = [...(others ?? [])].filter(([position]) => position < length);
  for (const [position, { agent }] of streamed.sort(([one], [other]) => one - other)) {
    if (pageAt(pages, position) === undefined) add(agent, position);
  }
  return found;
}

function pageAt(pages: readonly (ReadPage | undefined)[], position: number): ReadPage | undefined {
  const page = pages[Math.floor(position / OUTLINE_PAGE)];
  return page !== undefined && position % OUTLINE_PAGE < page.columns.kind.length
    ? page
    : undefined;
}

function countCalls(
  pages: readonly (ReadPage | undefined)[],
  others: ReadonlyMap<number, OutlineRow> | undefined,
): CallCounts {
  // The steps of one call may span two pages.
  const isPriced = new Map<string, boolean>();
  for (const page of pages) {
    const { id = [], cost_micro_usd: costs = [] } = page?.columns.calls ?? {};
    id.forEach((call, at) => isPriced.set(call, costs[at] !== null && costs[at] !== undefined));
  }
  for (const { call_id: call, cost_micro_usd: cost } of others?.values() ?? []) {
    if (call !== null) isPriced.set(call, cost !== null);
  }
  let unpriced = 0;
  for (const priced of isPriced.values()) unpriced += priced ? 0 : 1;
  return { count: isPriced.size, unpriced };
}

function beginsRun(columns: OutlinePage, place: number): boolean {
  const { prompt, node, agent } = columns;
  if (!isInRun(columns, place)) return false;
  if (place === 0 || !isInRun(columns, place - 1)) return true;
  return (
    prompt[place] !== prompt[place - 1] ||
    node[place] !== node[place - 1] ||
    agent[place] !== agent[place - 1]
  );
}

function isInRun({ agents, agent, families, family }: OutlinePage, place: number): boolean {
  return agents[agent[place] ?? -1] !== "" && families[family[place] ?? -1] !== "observation";
}

function named(names: readonly string[], numbers: readonly number[], place: number): string {
  return names[numbers[place] ?? -1] ?? "";
}

function rowOf({ columns, rows }: ReadPage, position: number): OutlineRow {
  const place = position % OUTLINE_PAGE;
  // Cached, so that a row keeps its identity and what shows it does not render again.
  return (rows[place] ??= readRow(columns, place));
}

function readRow(columns: OutlinePage, place: number): OutlineRow {
  const call = columns.call[place] ?? -1;
  const { calls } = columns;
  return {
    position: columns.start + place,
    kind: named(columns.kinds, columns.kind, place),
    family: columns.families[columns.family[place] ?? -1] ?? "thought",
    writer: columns.writers[columns.writer[place] ?? -1] ?? "agent",
    agent: named(columns.agents, columns.agent, place),
    node: named(columns.nodes, columns.node, place),
    prompt_id: named(columns.prompts, columns.prompt, place),
    lane: named(columns.lanes, columns.lane, place),
    gist: columns.gist[place] ?? "",
    is_error: columns.is_error[place] === 1,
    is_own: columns.is_own[place] === 1,
    call_id: calls.id[call] ?? null,
    input_tokens: calls.input_tokens[call] ?? null,
    cache_read_tokens: calls.cache_read_tokens[call] ?? null,
    output_tokens: calls.output_tokens[call] ?? null,
    cost_micro_usd: calls.cost_micro_usd[call] ?? null,
    duration_seconds: calls.duration_seconds[call] ?? null,
  };
}
