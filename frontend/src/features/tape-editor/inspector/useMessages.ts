/** The loaded messages of a prompt: the last ones arrive with the call, the others in pages. */
import { useQueries } from "@tanstack/react-query";
import { useState } from "react";

import type { LLMCall } from "@/api/types";
import { messagesQuery } from "@/features/tape-editor/inspector/api";
import { useTapeModel } from "@/features/tape-editor/editor";

const PAGE = 100;

export interface LoadedMessages {
  messages: readonly Record<string, unknown>[];
  /** The index of the first one in the prompt. */
  first: number;
  isLoading: boolean;
  error: Error | null;
  /** Load a page of earlier messages, if there are any. */
  onEarlier: () => void;
}

export function useMessages(call: LLMCall): LoadedMessages {
  const { tape } = useTapeModel();
  const [wanted, setWanted] = useState<{ call: string; pages: number }>({ call: "", pages: 0 });
  const pages = wanted.call === call.id ? wanted.pages : 0;
  const queries = useQueries({
    queries: Array.from({ length: pages }, (_, at) => {
      const end = call.first_message - at * PAGE;
      const start = Math.max(0, end - PAGE);
      return messagesQuery(tape.id, call.id, start, end - start);
    }),
  });
  // Pages arrive in any order: only those that connect to the ones below are shown.
  const missing = queries.findIndex(({ data }) => data === undefined);
  const joined = missing < 0 ? queries : queries.slice(0, missing);
  const earlier = joined.toReversed().flatMap(({ data }) => data?.messages ?? []);
  return {
    messages: [...earlier, ...call.messages],
    first: call.first_message - earlier.length,
    isLoading: queries.some(({ isPending }) => isPending),
    error: queries.find(({ error }) => error !== null)?.error ?? null,
    onEarlier: () => setWanted({ call: call.id, pages: pages + 1 }),
  };
}
