/** The outcome of the open tape, and the keys to judge it. */
import { useMemo } from "react";

import { useCanWrite } from "@/api/session";
import { useTapeMarks } from "@/api/useTapeMarks";
import { useEditor, useTapeModel } from "@/features/tape-editor/editor";
import { standingOf } from "@/features/tape-editor/header/standing";
import { useNotesOf } from "@/features/tape-editor/notes";
import { useKeys } from "@/lib/keys";
import { describeAnnotators } from "@/lib/annotators";
import { OUTCOME_WORDS, VERDICTS } from "@/lib/outcomes";
import { visibleText } from "@/lib/visibleText";
import { OutcomeButton } from "@/ui/OutcomeButton";

export function TapeOutcome() {
  const { tape, outline, isRunning } = useTapeModel();
  const run = useEditor(({ live }) => live.state);
  const canWrite = useCanWrite();
  const { judge } = useTapeMarks();
  const endsWithError = outline.at(outline.length - 1)?.is_error === true;
  const { id } = tape;
  const verdicts = useNotesOf(null).flatMap(({ outcome, source_name }) =>
    outcome === null ? [] : [{ person: visibleText(source_name), outcome }],
  );
  const bindings = useMemo(
    () =>
      canWrite
        ? VERDICTS.map(({ outcome, keys }) => ({
            keys,
            label: `Judge the tape: ${OUTCOME_WORDS[outcome].toLowerCase()}`,
            run: () => judge(id, outcome),
          }))
        : [],
    [canWrite, judge, id],
  );
  useKeys("Tape", bindings);
  return (
    <OutcomeButton
      outcome={tape.outcome}
      standing={standingOf({
        tape,
        isRunning,
        rests: run === "waiting" || run === "paused" ? run : null,
        hasFailed: run === "failed",
        endsWithError,
      })}
      isReadOnly={!canWrite}
      judgedBy={describeAnnotators(tape.outcome, verdicts)}
      onJudge={(outcome) => judge(id, outcome)}
    />
  );
}
