/** Which steps of this tape replace steps of its parent; requested once, read by the cards. */
import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, useMemo, type ReactNode } from "react";

import type { ReplacedStep, Tape } from "@/api/types";
import { replacedQuery } from "@/features/tape-editor/cards/api";

export interface Replaced {
  tapeId: string;
  parentId: string;
  steps: ReadonlyMap<number, ReplacedStep>;
}

const ReplacedContext = createContext<Replaced | null>(null);

export function ReplacedProvider({ tape, children }: { tape: Tape; children: ReactNode }) {
  const { id, parent_id: parentId, step_count: stepCount } = tape;
  const { data } = useQuery({ ...replacedQuery(id, stepCount), enabled: parentId !== null });
  const replaced = useMemo(
    () => (parentId === null || data === undefined ? null : { tapeId: id, parentId, steps: data }),
    [id, parentId, data],
  );
  return <ReplacedContext value={replaced}>{children}</ReplacedContext>;
}

export function useReplaced(): Replaced | null {
  return useContext(ReplacedContext);
}
