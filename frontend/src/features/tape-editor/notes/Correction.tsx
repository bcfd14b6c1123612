/** A suggested replacement for a piece of text: the recorded text stays as it is. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { stepsQuery } from "@/api/tapes";
import { LARGEST_EDITED, useFullStep } from "@/api/useFullStep";
import type { Annotation } from "@/api/types";
import {
  type StepRow,
  useActions,
  useTapeModel,
  withoutMetadata,
} from "@/features/tape-editor/editor";
import { correctedStep } from "@/features/tape-editor/notes/anchors";
import classes from "@/features/tape-editor/notes/notes.module.css";
import { revealQuote } from "@/features/tape-editor/notes/noteMarks";
import { cutText } from "@/lib/visibleText";
import { WordMark } from "@/ui/WordMark";

interface CorrectionProps {
  note: Annotation;
  row?: StepRow;
}

const SHOWN = 400;

export function Correction({ note, row }: CorrectionProps) {
  return (
    <div className={`ts-column ${classes.correction}`}>
      <button
        type="button"
        className="ts-words"
        title="Show it in the step"
        disabled={row === undefined}
        onClick={() => row !== undefined && revealQuote(row.index, note.quote)}
      >
        <CorrectedWords note={note} />
      </button>
      {row !== undefined && <TakeOver note={note} row={row} />}
    </div>
  );
}

export function CorrectedWords({ note }: { note: Annotation }) {
  const quote = cutText(note.quote, SHOWN);
  const shown = quote.length < note.quote.length ? `${quote}…` : quote;
  return (
    <>
      <WordMark op="delete" text={shown} /> <WordMark op="insert" text={note.text} />
    </>
  );
}

function TakeOver({ note, row }: Required<CorrectionProps>) {
  const { tape, canEdit } = useTapeModel();
  const actions = useActions();
  const { origin, written } = row.slot;
  const page = useQuery({
    ...stepsQuery(tape.id, origin ?? 0, 1),
    enabled: origin !== null,
    staleTime: Infinity,
  });
  const first = page.data?.items[0];
  const isWanted = (first?.cut?.size ?? 0) <= LARGEST_EDITED;
  const whole = useFullStep(tape.id, first, { isOpen: isWanted, onShowAll: () => undefined });
  // An incomplete step must never be written into the draft.
  const recorded = whole.notice === null ? whole.step : undefined;
  const corrected = correctedStep(note, written ?? recorded?.body);
  return (
    <Button
      variant="light"
      size="compact-xs"
      disabled={!canEdit || corrected === null}
      title="Apply it to the draft; the recorded step does not change"
      onClick={() => {
        if (corrected !== null) actions.replace(row, withoutMetadata(corrected), recorded);
      }}
    >
      Apply to draft
    </Button>
  );
}
