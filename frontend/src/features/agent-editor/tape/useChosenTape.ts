/** Which tape the agent is edited on: the one in the address, else the newest failed one. */
import { useInfiniteQuery, useQuery, type UseQueryResult } from "@tanstack/react-query";

import { isFinished } from "@/api/jobs";
import { tapeQuery, tapesQuery } from "@/api/tapes";
import type { Tape, TapeRow } from "@/api/types";
import { quoteValue } from "@/lib/tapeQuery";
import { useAddress } from "@/lib/useAddress";

export interface ChosenTape {
  /** The newest tapes of the agent. */
  offered: readonly TapeRow[];
  tapeId: string | null;
  tape: UseQueryResult<Tape>;
  isLoading: boolean;
  error: Error | null;
  retry: () => void;
}

const LIVE_MS = 1000;

export function useChosenTape(agentName: string): ChosenTape {
  const [address] = useAddress();
  const list = useInfiniteQuery({
    ...tapesQuery({ q: `agent:${quoteValue(agentName)}` }),
    refetchOnMount: "always",
  });
  const offered = list.data?.pages[0]?.items ?? NO_TAPES;
  const asked = address.get("tape");
  // A list from before would first open a tape that is not the newest any more.
  const isOld = asked === null && list.isFetching && !list.isFetchedAfterMount;
  const tapeId = asked ?? (isOld ? null : (choose(offered)?.id ?? null));
  const tape = useQuery({
    ...tapeQuery(tapeId ?? ""),
    enabled: tapeId !== null,
    // While it runs, its steps appear as they come.
    refetchInterval: ({ state }) => (isGoing(state.data) ? LIVE_MS : false),
  });
  return {
    offered,
    tapeId,
    tape,
    isLoading: tapeId === null ? list.isPending || isOld : tape.isPending,
    error: tapeId === null ? list.error : tape.data === undefined ? tape.error : null,
    retry: () => void (tapeId === null ? list.refetch() : tape.refetch()),
  };
}

const NO_TAPES: readonly TapeRow[] = [];

/** The newest that failed, by its outcome or with an error; else the newest. */
export function choose(rows: readonly TapeRow[]): TapeRow | undefined {
  return rows.find(({ outcome, has_error }) => outcome === "fail" || has_error) ?? rows[0];
}

export function isGoing(tape: Tape | undefined): boolean {
  return tape !== undefined && tape.job !== null && !isFinished(tape.job.state);
}
