/** Scores a tape, a step, a field or a piece of its text: thumbs, one to five, or a number from 0
 * to 1; one score per name. */
import { ActionIcon, NumberInput, Rating, SegmentedControl, TextInput } from "@mantine/core";
import {
  IconThumbDown,
  IconThumbDownFilled,
  IconThumbUp,
  IconThumbUpFilled,
} from "@tabler/icons-react";
import { useState } from "react";

import type { Annotation } from "@/api/types";
import type { Anchor } from "@/features/tape-editor/notes/anchors";
import { isAbout, nameOf, placed } from "@/features/tape-editor/notes/ChosenText";
import classes from "@/features/tape-editor/notes/notes.module.css";
import { useNoteActions } from "@/features/tape-editor/notes/useNoteActions";

type Scale = NonNullable<Annotation["scale"]>;
const SCALES: readonly { value: Scale; label: string }[] = [
  { value: "thumbs", label: "Thumbs" },
  { value: "five", label: "1–5" },
  { value: "fraction", label: "0–1" },
];

interface ScoreFormProps {
  position: number | null;
  /** The field or piece of text that is scored. */
  anchor: Anchor | null;
  scores: readonly Annotation[];
}

export function ScoreForm({ position, anchor, scores }: ScoreFormProps) {
  const [name, setName] = useState("quality");
  const [scale, setScale] = useState<Scale>("thumbs");
  const { add, change } = useNoteActions();
  const mine = scores.find(
    (score) => score.can_edit && score.name === name.trim() && isAbout(score, anchor),
  );
  const value = mine?.scale === scale ? mine.value : null;
  const isBusy = add.isPending || change.isPending;
  const onScore = (next: number) => {
    if (name.trim() === "" || isBusy || next === value) return;
    if (mine === undefined) {
      const score = { kind: "score" as const, name: name.trim(), value: next, scale };
      add.mutate({ position, ...score, ...placed(anchor) });
    } else {
      change.mutate({ id: mine.id, value: next, scale });
    }
  };
  return (
    <div
      className={`ts-row ${classes.scoring}`}
      role="group"
      aria-label={anchor === null ? "Score" : `Score of ${nameOf(anchor)}`}
    >
      <TextInput
        className={classes.scoreName}
        aria-label="What the score rates"
        placeholder="What the score rates"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <SegmentedControl
        aria-label="Scale"
        data={SCALES.map((item) => ({ ...item }))}
        value={scale}
        onChange={(wanted) => {
          const known = SCALES.find((item) => item.value === wanted);
          if (known !== undefined) setScale(known.value);
        }}
      />
      <ScoreInput scale={scale} value={value} onScore={onScore} />
    </div>
  );
}

interface ScoreInputProps {
  scale: Scale;
  value: number | null;
  onScore: (value: number) => void;
}

function ScoreInput({ scale, value, onScore }: ScoreInputProps) {
  switch (scale) {
    case "thumbs":
      return (
        <span className={classes.thumbs}>
          <ActionIcon aria-label="Thumbs up" aria-pressed={value === 1} onClick={() => onScore(1)}>
            {value === 1 ? (
              <IconThumbUpFilled size={16} className="ts-good" />
            ) : (
              <IconThumbUp size={16} stroke={1.75} />
            )}
          </ActionIcon>
          <ActionIcon
            aria-label="Thumbs down"
            aria-pressed={value === 0}
            onClick={() => onScore(0)}
          >
            {value === 0 ? (
              <IconThumbDownFilled size={16} className="ts-bad" />
            ) : (
              <IconThumbDown size={16} stroke={1.75} />
            )}
          </ActionIcon>
        </span>
      );
    case "five":
      return <Rating aria-label="Score from 1 to 5" value={value ?? 0} onChange={onScore} />;
    case "fraction":
      return (
        <NumberInput
          key={String(value)}
          aria-label="Score from 0 to 1"
          w={80}
          min={0}
          max={1}
          step={0.1}
          decimalScale={3}
          defaultValue={value ?? ""}
          onBlur={({ currentTarget }) => {
            const typed = Number(currentTarget.value);
            if (currentTarget.value !== "" && typed >= 0 && typed <= 1) onScore(typed);
          }}
        />
      );
  }
}
