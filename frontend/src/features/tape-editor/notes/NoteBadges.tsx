/** The annotations of a step at a glance: how many notes, which scores and labels. */
import {
  IconMessage,
  IconStarFilled,
  IconTag,
  IconThumbDownFilled,
  IconThumbUpFilled,
} from "@tabler/icons-react";
import type { ReactNode } from "react";

import type { Annotation } from "@/api/types";
import classes from "@/features/tape-editor/notes/notes.module.css";
import { useNotesOf } from "@/features/tape-editor/notes/NotesProvider";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

/** `position` of the recorded step; an inserted step has no annotations yet. */
export function NoteBadges({ position }: { position: number | null }) {
  const notes = useNotesOf(position);
  if (position === null || notes.length === 0) return null;
  const words = notes.filter(({ kind }) => kind === "note" || kind === "correction").length;
  const labels = notes.filter(({ kind }) => kind === "label");
  const score = notes.findLast(({ kind }) => kind === "score");
  return (
    <span className={`ts-inline ${classes.badges}`}>
      {words > 0 && (
        <Badge title={countOf(words, "note")}>
          <IconMessage size={12} stroke={2} aria-hidden="true" />
          {words}
        </Badge>
      )}
      {score !== undefined && (
        <Badge title={`${score.name}: ${describeScore(score)}`}>
          <ScoreIcon score={score} />
          {score.scale !== "thumbs" && describeScore(score)}
        </Badge>
      )}
      {labels.length > 0 && (
        <Badge title={labels.map(({ name }) => name).join(", ")}>
          <IconTag size={12} stroke={2} aria-hidden="true" />
          {labels.length}
        </Badge>
      )}
    </span>
  );
}

function Badge({ title, children }: { title: string; children: ReactNode }) {
  return (
    <span
      className={`ts-inline ts-caption ${classes.badge}`}
      title={visibleText(title)}
      aria-label={visibleText(title)}
      role="img"
    >
      {children}
    </span>
  );
}

export function ScoreIcon({ score, size = 12 }: { score: Annotation; size?: number }) {
  if (score.scale !== "thumbs") {
    return <IconStarFilled size={size} className="ts-warn" aria-hidden="true" />;
  }
  return score.value === 1 ? (
    <IconThumbUpFilled size={size} className="ts-good" aria-hidden="true" />
  ) : (
    <IconThumbDownFilled size={size} className="ts-bad" aria-hidden="true" />
  );
}

export function describeScore({ scale, value }: Annotation): string {
  switch (scale) {
    case "thumbs":
      return value === 1 ? "thumbs up" : "thumbs down";
    case "five":
      return `${value ?? "–"} of 5`;
    case "fraction":
    case null:
      return value === null ? "–" : String(Math.round(value * 1000) / 1000);
  }
}
