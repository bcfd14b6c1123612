/** What is made by jobs, as each of its subjects asks for it: listed, one of them, and changed. */
import { queryOptions, useMutation, useQueryClient, type QueryKey } from "@tanstack/react-query";

import { isFinished, jobKeys } from "@/api/jobs";
import { pagedQuery, type PageQuery } from "@/api/pages";
import type { Job } from "@/api/types";

const LIVE_MS = 2000;
/** Somebody else may start one. */
export const IDLE_MS = 5000;

interface JobRow {
  state: Job["state"];
}

interface JobPage<Row> {
  items: readonly Row[];
  next: string | null;
}

/** Asked again sooner while one of them is at work. */
export function jobRowsQuery<Row extends JobRow>(
  key: QueryKey,
  ask: (query: PageQuery, signal: AbortSignal) => Promise<JobPage<Row>>,
) {
  const everyMs = (rows: readonly Row[]) =>
    rows.some(({ state }) => !isFinished(state)) ? LIVE_MS : IDLE_MS;
  return pagedQuery({ key, ask, everyMs });
}

/** Asked again until its job is over. */
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

/** Starts a job or changes what one makes; what is known of its subject and of jobs is old then. */
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
