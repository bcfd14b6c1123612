/** Suites: datasets of regression tests. Making a test from a tape, changing it, running all. */
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type QueryClient,
} from "@tanstack/react-query";

import { client, settle, unwrap } from "@/api/client";
import { datasetKeys } from "@/api/datasets";
import { jobKeys } from "@/api/jobs";
import type { RegressionTestIn, SuiteReport, SuiteRun, SuiteRunIn, TestCheck } from "@/api/types";

export const suiteKeys = { all: ["suites"] };
const { all } = suiteKeys;
const PAGE = 50;
const LIVE_MS = 2000;
const IDLE_MS = 5000;

const of = (suiteId: string) => ({ params: { path: { dataset_id: suiteId } } });
const ofTape = (tapeId: string) => ({ params: { path: { tape_id: tapeId } } });

/** Newest first. */
export function suitesQuery() {
  return infiniteQueryOptions({
    queryKey: [...all, "list"],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = { ...(pageParam !== "" && { after: pageParam }), limit: PAGE };
      return unwrap(client.GET("/api/v1/suites", { params: { query }, signal }));
    },
    getNextPageParam: ({ next }) => next,
  });
}

/** A suite with its tests; polled more often while one of them is running. */
export function suiteQuery(suiteId: string) {
  return queryOptions({
    queryKey: [...all, suiteId],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/suites/{dataset_id}", { ...of(suiteId), signal })),
    refetchInterval: ({ state }) => (isAtWork(state.data) ? LIVE_MS : IDLE_MS),
  });
}

function isAtWork(report: SuiteReport | undefined): boolean {
  return report?.runs.some(({ going_count: going }: SuiteRun) => going > 0) === true;
}

/** The test that a tape would become with default choices. */
export function suggestedTestQuery(tapeId: string) {
  return queryOptions({
    queryKey: [...all, "suggested", tapeId],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/tapes/{tape_id}/regression-test", { ...ofTape(tapeId), signal })),
    staleTime: 0,
  });
}

export const MAKE_TEST = ["make-regression-test"];

export function useMakeTest(tapeId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: [...MAKE_TEST, tapeId],
    mutationFn: (body: RegressionTestIn) =>
      unwrap(client.POST("/api/v1/tapes/{tape_id}/regression-test", { ...ofTape(tapeId), body })),
    onSuccess: () => refresh(queries),
  });
}

export function useChangeCheck() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ tapeId, check }: { tapeId: string; check: TestCheck }) =>
      settle(
        client.PUT("/api/v1/tapes/{tape_id}/regression-test", {
          ...ofTape(tapeId),
          body: { check },
        }),
      ),
    onSuccess: () => refresh(queries),
  });
}

export function useRunSuite(suiteId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Partial<SuiteRunIn>) =>
      unwrap(
        client.POST("/api/v1/suites/{dataset_id}/run", {
          ...of(suiteId),
          body: {
            agent_version_ids: [],
            model_ids: [null],
            seeds: [],
            repeats: 1,
            max_turns: 50,
            budget: {},
            tools: { default: "live" },
            ...body,
          },
        }),
      ),
    onSettled: async () => {
      await refresh(queries);
      await queries.invalidateQueries({ queryKey: jobKeys.all });
    },
  });
}

async function refresh(queries: QueryClient) {
  await queries.invalidateQueries({ queryKey: all });
  await queries.invalidateQueries({ queryKey: datasetKeys.all });
}
