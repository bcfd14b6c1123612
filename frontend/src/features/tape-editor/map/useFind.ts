/** Find in tape: the server searches the full texts, and the draft's steps are searched here. */
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { describeError } from "@/api/client";
import { findQuery } from "@/api/tapes";
import type { FoundSteps } from "@/api/types";
import type { Slot } from "@/features/tape-editor/draft";
import { allLines, type Lines, linesOf } from "@/features/tape-editor/map/find";

const PAUSE_MS = 150;

export interface Found {
  lines: Lines;
  /** In lower case; empty: there is no search and every step is shown. */
  words: readonly string[];
  /** The text around the match, for a step whose first line does not contain it. */
  excerptAt: (index: number) => string | undefined;
  isSearching: boolean;
  /** There are more hits than the server returned. */
  isCut: boolean;
  problem: string;
}

export function useFind(tapeId: string, slots: readonly Slot[], search: string): Found {
  const [typed] = useDebouncedValue(search.trim(), PAUSE_MS);
  const isWanted = search.trim() !== "" && typed !== "";
  const { data, error, isFetching } = useQuery({
    ...findQuery(tapeId, typed),
    enabled: isWanted,
    // While the person keeps typing, the last hits stay.
    placeholderData: keepPreviousData,
  });
  const words = useMemo(() => wordsOf(search), [search]);
  return useMemo(
    () => ({
      ...findAmong(slots, words, data),
      words,
      isSearching: isWanted && (isFetching || typed !== search.trim()),
      isCut: words.length > 0 && data?.is_cut === true,
      problem: isWanted && error !== null ? describeError(error) : "",
    }),
    [slots, words, data, error, isFetching, isWanted, typed, search],
  );
}

export function wordsOf(search: string): string[] {
  return search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** The server's hits are at recorded positions; it does not have what the draft wrote. */
export function findAmong(
  slots: readonly Slot[],
  words: readonly string[],
  hits: FoundSteps | undefined,
): Pick<Found, "lines" | "excerptAt"> {
  if (words.length === 0) return { lines: allLines(slots.length), excerptAt: () => undefined };
  const excerpts = new Map((hits?.items ?? []).map(({ position, excerpt }) => [position, excerpt]));
  const isFound = ({ origin, written }: Slot) => {
    if (written === null) return origin !== null && excerpts.has(origin);
    const text = JSON.stringify(written).toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return {
    lines: linesOf(slots.length, (index) => {
      const slot = slots[index];
      return slot !== undefined && isFound(slot);
    }),
    excerptAt: (index) => {
      const slot = slots[index];
      if (slot === undefined || slot.written !== null || slot.origin === null) return undefined;
      return excerpts.get(slot.origin);
    },
  };
}
