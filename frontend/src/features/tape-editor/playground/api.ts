/** Asks models from the playground: one job per question, and nothing is kept. */
import { queryOptions } from "@tanstack/react-query";

import { client, settle, unwrap } from "@/api/client";
import { tapeKeys } from "@/api/tapes";
import type { LLMCall, PlaygroundIn } from "@/api/types";

const of = (tapeId: string, jobId: string) => ({
  params: { path: { tape_id: tapeId, job_id: jobId } },
});

export function askModel(tapeId: string, body: PlaygroundIn) {
  const path = { params: { path: { tape_id: tapeId } } };
  return unwrap(client.POST("/api/v1/tapes/{tape_id}/playground", { ...path, body }));
}

export function loadAnswer(tapeId: string, jobId: string) {
  return unwrap(client.GET("/api/v1/tapes/{tape_id}/playground/{job_id}", of(tapeId, jobId)));
}

/** Stops an answer; deletes it if it has finished. */
export function stopAnswer(tapeId: string, jobId: string) {
  return settle(client.DELETE("/api/v1/tapes/{tape_id}/playground/{job_id}", of(tapeId, jobId)));
}

export interface OtherAnswer {
  content: string | null;
  tool_calls: Record<string, unknown>[];
  reasoning_content: string | null;
}

/** The steps that the tape would have if this had been the model's answer. */
export function makeSteps(tapeId: string, callId: string, body: OtherAnswer) {
  return unwrap(
    client.POST("/api/v1/tapes/{tape_id}/calls/{call_id}/steps", {
      params: { path: { tape_id: tapeId, call_id: callId } },
      body,
    }),
  );
}

const PAGE = 1000;

/** All messages of a prompt, which the server pages when it is long. */
export function wholePromptQuery(tapeId: string, call: LLMCall | undefined) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "call", call?.id ?? "", "whole"],
    queryFn: async ({ signal }): Promise<Record<string, unknown>[]> => {
      if (call === undefined) return [];
      const pages: Record<string, unknown>[][] = [];
      for (let start = 0; start < call.first_message; start += PAGE) {
        const count = Math.min(PAGE, call.first_message - start);
        const page = client.GET("/api/v1/tapes/{tape_id}/calls/{call_id}/messages", {
          params: { path: { tape_id: tapeId, call_id: call.id }, query: { start, count } },
          signal,
        });
        pages.push((await unwrap(page)).messages);
      }
      return [...pages.flat(), ...call.messages];
    },
    staleTime: Infinity,
  });
}
