/** The filters of the list, kept in the address so that a link shows the same list. */
import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";

import type { TapeFilter } from "@/api/tapes";
import { narrowQuery, quoteValue } from "@/lib/tapeQuery";

export const SHOWN = ["all", "pinned", "archived"] as const;
export type Shown = (typeof SHOWN)[number];

export interface TapeListState {
  /** A query in the query language of the list; the fields below narrow it further. */
  q: string;
  agent: string;
  batch: string;
  hasError: boolean;
  /** A detector or rule of the linter, "any" or "none"; empty for no condition. */
  lint: string;
  /** Archived tapes are a separate list; "all" excludes them. */
  shown: Shown;
  /** The row that was opened last, marked again on return. */
  row: string;
}

export function readListState(params: URLSearchParams): TapeListState {
  return {
    q: params.get("q") ?? asQuery(params.get("search") ?? ""),
    agent: params.get("agent") ?? "",
    batch: params.get("batch") ?? "",
    hasError: params.get("error") === "1",
    lint: params.get("lint") ?? "",
    shown: SHOWN.find((known) => known === params.get("show")) ?? "all",
    row: params.get("row") ?? "",
  };
}

/** Links from before there were queries contain words: anything but plain words is quoted. */
function asQuery(words: string): string {
  return /^[\p{L}\p{N}\s]*$/u.test(words) ? words : quoteValue(words);
}

export function writeListState(state: TapeListState): URLSearchParams {
  const params = new URLSearchParams();
  if (state.q !== "") params.set("q", state.q);
  if (state.agent !== "") params.set("agent", state.agent);
  if (state.batch !== "") params.set("batch", state.batch);
  if (state.hasError) params.set("error", "1");
  if (state.lint !== "") params.set("lint", state.lint);
  if (state.shown !== "all") params.set("show", state.shown);
  if (state.row !== "") params.set("row", state.row);
  return params;
}

/** All filters combined into one query. */
export function combinedQuery({ q, agent, batch, hasError, lint, shown }: TapeListState) {
  const named = Object.entries({ agent, batch, lint }).filter(([, value]) => value !== "");
  return narrowQuery(q, [
    ...(shown === "all" ? [] : [`is:${shown}`]),
    ...named.map(([field, value]) => `${field}:${quoteValue(value)}`),
    ...(hasError ? ["has:error"] : []),
  ]);
}

export function toTapeFilter(state: TapeListState): TapeFilter {
  const { q } = combinedQuery(state);
  return q === "" ? {} : { q };
}

export const UNFILTERED: Omit<TapeListState, "row"> = {
  q: "",
  agent: "",
  batch: "",
  hasError: false,
  lint: "",
  shown: "all",
};

/** The list after a click on a facet or in the summary: the query contains all conditions. */
export function byQuery({ shown }: TapeListState, q: string): Omit<TapeListState, "row"> {
  // Archived tapes stay a separate list.
  if (shown !== "archived" || !q.startsWith("is:archived")) return { ...UNFILTERED, q };
  return { ...UNFILTERED, shown, q: q.replace("is:archived", "").trimStart() };
}

export function isFiltered(state: TapeListState): boolean {
  const { q, agent, batch, hasError, lint, shown } = state;
  const words = [q, agent, batch, lint];
  return words.some((word) => word !== "") || hasError || shown !== "all";
}

export function useTapeListState() {
  const [params, setParams] = useSearchParams();
  const state = useMemo(() => readListState(params), [params]);
  const change = useCallback(
    (part: Partial<TapeListState>) =>
      setParams((old) => withOthers(writeListState({ ...readListState(old), ...part }), old), {
        replace: true,
      }),
    [setParams],
  );
  return { state, change };
}

/** Parameters that are not conditions are kept: the lens, the columns and others own them. */
function withOthers(state: URLSearchParams, old: URLSearchParams): URLSearchParams {
  for (const [name, value] of old) if (!NAMES.has(name)) state.append(name, value);
  return state;
}

const NAMES = new Set(["q", "search", "agent", "batch", "error", "lint", "show", "row"]);
