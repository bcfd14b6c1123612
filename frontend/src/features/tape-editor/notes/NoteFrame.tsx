/** What is around the words of a note: its author, when, and what it scores. */
import { IconGavel, IconListCheck, IconTag, IconUser, IconZoomCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";

import type { Annotation } from "@/api/types";
import { describeScore, ScoreIcon } from "@/features/tape-editor/notes/NoteBadges";
import classes from "@/features/tape-editor/notes/notes.module.css";
import { visibleText } from "@/lib/visibleText";
import { RelativeTime } from "@/ui/Quantities";

interface NoteFrameProps {
  note: Annotation;
  /** Buttons at the end of the first line. */
  actions?: ReactNode;
  /** The place in the step that it is about. */
  about?: ReactNode;
  isCurrent?: boolean;
  children?: ReactNode;
}

export function NoteFrame({ note, actions, about, isCurrent, children }: NoteFrameProps) {
  return (
    <li className={classes.note} aria-current={isCurrent}>
      <header className={`ts-row ts-hint ${classes.noteHead}`}>
        <SourceIcon source={note.source} />
        <span className={`ts-truncate ${classes.author}`}>
          {visibleText(note.source_name) || "somebody"}
        </span>
        {note.source !== "person" && <span className={classes.source}>{note.source}</span>}
        <RelativeTime value={note.created_at} />
        {actions !== undefined && <span className={classes.noteActions}>{actions}</span>}
      </header>
      {about}
      {note.kind === "score" && (
        <div className={`ts-row ${classes.score}`}>
          <ScoreIcon score={note} size={14} />
          <span>{visibleText(note.name)}</span>
          <strong>{describeScore(note)}</strong>
        </div>
      )}
      {note.kind === "label" && (
        <div className={`ts-row ${classes.score}`}>
          <IconTag size={14} stroke={1.75} aria-label="Label" role="img" />
          <span>{visibleText(note.name)}</span>
        </div>
      )}
      {children}
    </li>
  );
}

export function NoteWords({ note }: { note: Annotation }) {
  return note.text === "" ? null : (
    <p className={`ts-words ${classes.text}`}>{visibleText(note.text)}</p>
  );
}

function SourceIcon({ source }: { source: Annotation["source"] }) {
  const Drawn = {
    person: IconUser,
    judge: IconGavel,
    checker: IconListCheck,
    linter: IconZoomCheck,
  }[source];
  return <Drawn size={14} stroke={1.75} aria-label={source} role="img" />;
}
