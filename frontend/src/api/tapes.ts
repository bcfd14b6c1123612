/** Tapes: lists, one tape's header, steps, calls. Query keys and requests together. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";

import { client, settle, unwrap } from "@/api/client";
import type { ResumeIn, StartTapeIn, TapePage, TapePatch } from "@/api/types";
import { wordsQuery } from "@/lib/tapeQuery";

export interface TapeFilter {
  /** A query in the query language of the list. */
  q?: string;
}

const PAGE_SIZE = 100;
const LIVE_MS = 3000;
const path = (tapeId: string) => ({ params: { path: { tape_id: tapeId } } });

export const tapeKeys = {
  all: ["tapes"],
  lists: ["tapes", "list"],
  list: (filter: TapeFilter & { sort?: string }) => ["tapes", "list", filter],
  tape: (id: string) => ["tapes", id],
};

/** Newest first unless `sort` names a column, with "-" before it for descending order. */
export function tapesQuery(filter: TapeFilter & { sort?: string }) {
  return infiniteQueryOptions({
    queryKey: tapeKeys.list(filter),
    queryFn: ({ pageParam, signal }) => {
      const after = pageParam === null ? {} : { after: pageParam };
      const query = { ...filter, ...after, limit: PAGE_SIZE };
      return unwrap(client.GET("/api/v1/tapes", { params: { query }, signal }));
    },
    initialPageParam: firstPage(),
    getNextPageParam: (page: TapePage) => page.next,
    staleTime: 2000,
    // The list stays while another search is loading, so that keys pressed meanwhile find rows.
    placeholderData: keepPreviousData,
    // While something runs, its numbers grow; a list with more than one page is not polled.
    refetchInterval: ({ state: { data } }) => {
      const [first, ...more] = data?.pages ?? [];
      const isLive = first?.items.some(({ active_job_id }) => active_job_id !== null) === true;
      return isLive && more.length === 0 ? LIVE_MS : false;
    },
  });
}

function firstPage(): string | null {
  return null;
}

export function recentTapesQuery(search: string) {
  return queryOptions({
    queryKey: [...tapeKeys.lists, "recent", search],
    queryFn: async ({ signal }) => {
      const query = { q: wordsQuery(search), limit: 8 };
      const page = await unwrap(client.GET("/api/v1/tapes", { params: { query }, signal }));
      return page.items;
    },
  });
}

export function tapeQuery(tapeId: string) {
  return queryOptions({
    queryKey: tapeKeys.tape(tapeId),
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/tapes/{tape_id}", { ...path(tapeId), signal })),
  });
}

/** What the tapes of a list have in common. */
export function tapeSummaryQuery(filter: TapeFilter) {
  return queryOptions({
    queryKey: [...tapeKeys.lists, "summary", filter],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/tapes/summary", { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** How a tape begins and ends, and where it first fails. */
export function tapePreviewQuery(tapeId: string) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "preview"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/tapes/{tape_id}/glance", { ...path(tapeId), signal })),
    staleTime: 10_000,
  });
}

/** The step to look at first, and why; `null` without one. The outcome of the tape changes it. */
export function suspectQuery(tapeId: string, stepCount: number, outcome: string) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "suspect", stepCount, outcome],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/tapes/{tape_id}/suspect", { ...path(tapeId), signal })),
    staleTime: 30_000,
  });
}

/** `limit` steps starting at `start`, with their full bodies. */
export function stepsQuery(tapeId: string, start: number, limit: number) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "steps", start, limit],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/steps", {
          params: { path: { tape_id: tapeId }, query: { start, limit } },
          signal,
        }),
      ),
  });
}

/** How many steps the editor loads at a time. */
export const STEPS_PAGE = 50;
/** Pages out of sight are dropped after this: a tape may be larger than the memory. */
const STEPS_KEPT_MS = 30_000;

export function stepsPageQuery(tapeId: string, page: number) {
  return {
    ...stepsQuery(tapeId, page * STEPS_PAGE, STEPS_PAGE),
    staleTime: Infinity,
    gcTime: STEPS_KEPT_MS,
    structuralSharing: false,
  };
}

/** One step, however large it is; dropped soon after it is out of sight. */
export function wholeStepQuery(tapeId: string, position: number) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "whole-step", position],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/steps/{position}", {
          params: { path: { tape_id: tapeId, position } },
          signal,
        }),
      ),
    staleTime: Infinity,
    gcTime: STEPS_KEPT_MS,
    structuralSharing: false,
  });
}

export function callQuery(tapeId: string, callId: string) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "call", callId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/calls/{call_id}", {
          params: { path: { tape_id: tapeId, call_id: callId } },
          signal,
        }),
      ),
    staleTime: Infinity,
  });
}

export function viewsQuery(tapeId: string, position: number) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "views", position],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/steps/{position}/views", {
          params: { path: { tape_id: tapeId, position } },
          signal,
        }),
      ),
  });
}

/** The form that a dialogue is about, as it is after a step; `null` if it is about none yet. */
export function formQuery(tapeId: string, position: number) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "form", position],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/steps/{position}/form", {
          params: { path: { tape_id: tapeId, position } },
          signal,
        }),
      ),
    // Recorded steps never change.
    staleTime: Infinity,
  });
}

export function diffQuery(tapeId: string, otherId: string) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "diff", otherId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/diff/{other_id}", {
          params: { path: { tape_id: tapeId, other_id: otherId } },
          signal,
        }),
      ),
  });
}

/** The defaults, which the server requires to be spelled out. */
export const NOTHING_CHOSEN = {
  tools: { default: "live", by_tool: {}, mocks: {} },
  until: { kind: "end" },
  budget: {},
  reuse_recorded: false,
  breakpoints: [],
  is_stepping: false,
  max_turns: 20,
} satisfies Partial<StartTapeIn>;

type TapeStart = Omit<StartTapeIn, keyof typeof NOTHING_CHOSEN>;

export function startTape(start: TapeStart) {
  return unwrap(client.POST("/api/v1/tapes", { body: { ...NOTHING_CHOSEN, ...start } }));
}

export function resumeTape(tapeId: string, body: ResumeIn) {
  return unwrap(client.POST("/api/v1/tapes/{tape_id}/resume", { ...path(tapeId), body }));
}

/** Let the improver rewrite a step of a tape, on a tape of its own. */
export function improveTape(tapeId: string, modelId: string | null) {
  const body = { ...NOTHING_CHOSEN, parameters: {}, model_id: modelId };
  return unwrap(client.POST("/api/v1/tapes/{tape_id}/improve", { ...path(tapeId), body }));
}

/** Write a revision, a step of the improver's tape, into a child of the improved tape. */
export function writeRevision(tapeId: string, position: number) {
  const params = { path: { tape_id: tapeId, position } };
  return unwrap(client.POST("/api/v1/tapes/{tape_id}/steps/{position}/revision", { params }));
}

/** Rename, pin or archive. */
export function changeTape(tapeId: string, body: TapePatch) {
  return unwrap(client.PATCH("/api/v1/tapes/{tape_id}", { ...path(tapeId), body }));
}

/** Where the text occurs in the steps, searched in full. */
export function findQuery(tapeId: string, text: string) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "find", text],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/find", {
          params: { path: { tape_id: tapeId }, query: { text } },
          signal,
        }),
      ),
  });
}

export function deleteTape(tapeId: string) {
  return settle(client.DELETE("/api/v1/tapes/{tape_id}", path(tapeId)));
}

export function restoreTape(tapeId: string) {
  return settle(client.POST("/api/v1/tapes/{tape_id}/restore", path(tapeId)));
}
