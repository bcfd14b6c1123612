/** The outline of a tape: columns as the server sends them, rows only of what is looked at. */
import { queryOptions } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import { tapeKeys } from "@/api/tapes";
import type { OutlinePage, OutlineRow } from "@/api/types";
import { takeTurns } from "@/lib/takeTurns";

/** What the server gives at most. */
export const OUTLINE_PAGE = 1000;

export type Family = OutlineRow["family"];

/** What is known of the recorded steps without their bodies, by position. */
export interface Outline {
  /** How many steps the tape has, whether or not they are known here. */
  readonly length: number;
  /** `undefined` for a step whose page has not come. The same object each time. */
  at: (position: number) => OutlineRow | undefined;
  /** About how many lines a folded card shows of it; `undefined` where nothing is known. */
  linesAt: (position: number) => number | undefined;
  /** Whether a node run begins with a step, told from the columns alone. */
  beginsRun: (position: number) => boolean;
  /** Every kind on the tape, as far as it is known. */
  kinds: () => ReadonlySet<string>;
}

/** One page with the rows that were asked of it. */
export interface ReadPage {
  columns: OutlinePage;
  rows: OutlineRow[];
}

/** A browser has six connections to a server: two of them are enough for what is out of sight. */
const takeTurn = takeTurns(2);

export function outlinePageQuery(tapeId: string, start: number) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "outline", start],
    queryFn: ({ signal }) => takeTurn(() => loadPage(tapeId, start, signal)),
    // Recorded steps stay as they are; only a page that is not full may be added to.
    staleTime: ({ state: { data } }) =>
      data !== undefined && isFull(data) ? "static" : SETTLED_MS,
    refetchOnWindowFocus: false,
    // Pages are compared by nobody, and walking through thousands of values takes its time.
    structuralSharing: false,
  });
}

const SETTLED_MS = 10_000;

function isFull({ columns }: ReadPage): boolean {
  return columns.kind.length === OUTLINE_PAGE;
}

/** A page that was loaded before the tape had all of the steps that it has now. */
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

/** Where the pages of a tape begin, the one with the step that is looked at first. */
export function pageStarts(stepCount: number, position: number): number[] {
  const starts: number[] = [];
  for (let start = 0; start < stepCount; start += OUTLINE_PAGE) starts.push(start);
  const first = Math.floor(Math.min(position || 0, stepCount - 1) / OUTLINE_PAGE);
  return [...starts.slice(first), ...starts.slice(0, first).reverse()];
}

/** The outline that some pages make; what no page tells comes from `others`. */
export function buildOutline(
  length: number,
  pages: readonly (ReadPage | undefined)[],
  others?: ReadonlyMap<number, OutlineRow>,
): Outline {
  const byNumber: (ReadPage | undefined)[] = [];
  for (const page of pages) {
    if (page !== undefined) byNumber[page.columns.start / OUTLINE_PAGE] = page;
  }
  const pageOf = (position: number) => {
    const page = byNumber[Math.floor(position / OUTLINE_PAGE)];
    return page !== undefined && position % OUTLINE_PAGE < page.columns.kind.length
      ? page
      : undefined;
  };
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
    kinds: () => {
      const kinds = new Set(pages.flatMap((page) => page?.columns.kinds ?? []));
      for (const { kind } of others?.values() ?? []) kinds.add(kind);
      return kinds;
    },
  };
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
  // Kept, so that what was drawn from a row is not drawn again for an equal one.
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
