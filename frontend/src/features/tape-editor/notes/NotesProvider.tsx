/** The annotations of the open tape, by step, and the notes that are being written. */
import { useQuery } from "@tanstack/react-query";
import {
  createContext,
  useContext,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  type ReactNode,
} from "react";

import type { Annotation } from "@/api/types";
import { notesQuery } from "@/features/tape-editor/notes/api";
import {
  NO_DRAFTS,
  type NoteDraftEvent,
  type NoteDrafts,
  placeOf,
  reduceNoteDrafts,
} from "@/features/tape-editor/notes/noteDrafts";
import type { Anchor } from "@/features/tape-editor/notes/anchors";

/** By the position of a recorded step; `null` for the tape as a whole. */
export type NotesByPosition = ReadonlyMap<number | null, readonly Annotation[]>;

interface Writing {
  drafts: NoteDrafts;
  dispatch: (event: NoteDraftEvent) => void;
  /** Open the field for a note, on a selected text or on the complete step. */
  onWrite: (position: number | null, index: number | null, anchor: Anchor | null) => void;
}

const NONE: NotesByPosition = new Map();
// Separate, because every card and every row of the map reads this one.
const NotesContext = createContext<NotesByPosition>(NONE);
const WritingContext = createContext<Writing | null>(null);

interface NotesProviderProps {
  tapeId: string;
  /** Show the step and its notes; missing where nobody writes any. */
  onOpen?: (index: number | null) => void;
  children: ReactNode;
}

export function NotesProvider({ tapeId, onOpen, children }: NotesProviderProps) {
  const { data } = useQuery(notesQuery(tapeId));
  const [drafts, dispatch] = useReducer(reduceNoteDrafts, NO_DRAFTS);
  const latest = useRef(onOpen);
  useLayoutEffect(() => {
    latest.current = onOpen;
  });
  const notes = useMemo(() => (data === undefined ? NONE : groupByPosition(data)), [data]);
  const writing = useMemo(
    (): Writing => ({
      drafts,
      dispatch,
      onWrite: (position, index, anchor) => {
        latest.current?.(index);
        dispatch({ type: "note.started", place: placeOf(position), anchor });
      },
    }),
    [drafts],
  );
  return (
    <NotesContext.Provider value={notes}>
      <WritingContext.Provider value={writing}>{children}</WritingContext.Provider>
    </NotesContext.Provider>
  );
}

export function groupByPosition(notes: readonly Annotation[]): NotesByPosition {
  const groups = new Map<number | null, Annotation[]>();
  for (const note of notes) {
    const group = groups.get(note.position);
    if (group === undefined) groups.set(note.position, [note]);
    else group.push(note);
  }
  return groups;
}

const NO_NOTES: readonly Annotation[] = [];

export function useNotesOf(position: number | null): readonly Annotation[] {
  return useContext(NotesContext).get(position) ?? NO_NOTES;
}

export function useNoteWriting(): Writing {
  const writing = useContext(WritingContext);
  if (writing === null) throw new Error("This must be rendered inside a notes provider.");
  return writing;
}
