/** Queries for what jobs make (finetunes, sweeps, …): a list, a single row, and a change. */
import { queryOptions, useMutation, useQueryClient, type QueryKey } from "@tanstack/react-query";

import { isFinished, jobKeys } from "@/api/jobs";
import { pagedQuery, type PageQuery } from "@/api/pages";
import type { Job } from "@/api/types";

const LIVE_MS = 2000;
/** How often to poll while idle, because somebody else may start one. */
export const IDLE_MS = 5000;

interface JobRow {
  state: Job["state"];
}

interface JobPage<Row> {
  items: readonly Row[];
  next: string | null;
}

/** A list that is polled more often while one of its jobs is active. */
export function jobRowsQuery<Row extends JobRow>(
  key: QueryKey,
  ask: (query: PageQuery, signal: AbortSignal) => Promise<JobPage<Row>>,
) {
  const everyMs = (rows: readonly Row[]) =>
    rows.some(({ state }) => !isFinished(state)) ? LIVE_MS : IDLE_MS;
  return pagedQuery({ key, ask, everyMs });
}

/** A row that is polled until its job has finished. */
export function jobRowQuery<Row>(
  key: QueryKey,
  ask: (signal: AbortSignal) => Promise<Row>,
  stateOf: (row: Row) => Job["state"],
) {
  return queryOptions({
    queryKey: key,
    queryFn: ({ signal }) => ask(signal),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isFinished(stateOf(data)) ? false : LIVE_MS,
  });
}

/** Starts a job or changes what one makes; then refetches what `key` caches, and jobs. */
export function useJobChange<Body>(key: QueryKey, change: (body: Body) => Promise<{ id: string }>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: key });
      await queries.invalidateQueries({ queryKey: jobKeys.all });
    },
  });
}
