/** The step to check first, in words and as a place of the edited tape. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";

import { suspectQuery } from "@/api/tapes";
import type { Suspect } from "@/api/types";
import { type StepRow, useTapeModel } from "@/features/tape-editor/editor";
import { useTapeLint } from "@/features/tape-editor/lint";
import { countOf } from "@/lib/format";
import { clipEnd } from "@/lib/textDifference";
import { visibleText } from "@/lib/visibleText";

export interface SuspectedStep {
  row: StepRow;
  suspect: Suspect;
}

/** `undefined` until it is known; `null` if no step that is still there is suspected. */
export function useSuspect(): SuspectedStep | null | undefined {
  const { tape, isRunning, slots, steps } = useTapeModel();
  const { isPending, isReady } = useTapeLint();
  const isAsked = !isRunning && tape.outcome !== "pass";
  // Without an error the server lints the tape: wait for the lint query, so that it does so once.
  const isTurn = isReady && (tape.error_count > 0 || !isPending);
  const { data, isError } = useQuery({
    ...suspectQuery(tape.id, tape.step_count, tape.outcome),
    enabled: isAsked && isTurn,
    placeholderData: keepPreviousData,
  });
  if (!isAsked || isError || data === null) return null;
  if (data === undefined) return undefined;
  const index = slots.findIndex(({ origin }) => origin === data.position);
  const row = steps.at(index);
  return index < 0 || row === undefined ? null : { row, suspect: data };
}

const LONGEST = 60;

/** "First error: step 12, tool not found" */
export function describeSuspect({ why, words, passed_count: passed }: Suspect, step: number) {
  // "First error: step 3, Error: …" would repeat the word.
  const text = clipEnd(visibleText(words.replace(/^error: /i, "")), LONGEST);
  const place = text === "" ? `step ${step}` : `step ${step}, ${text}`;
  switch (why) {
    case "error":
      return `First error: ${place}`;
    case "finding":
      return `First finding: ${place}`;
    case "parting":
      return passed === 1
        ? `Diverges from the passing run at ${place}`
        : `Diverges from the ${countOf(passed, "passing run")} at ${place}`;
  }
}
