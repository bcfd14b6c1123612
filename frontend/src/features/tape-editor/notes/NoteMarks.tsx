import { useEffect, useRef } from "react";

import { markQuotes } from "@/features/tape-editor/notes/noteMarks";
import { useNotesOf } from "@/features/tape-editor/notes/NotesProvider";

/** Marks the texts that notes are about, in the card around it. */
export function NoteMarks({ position }: { position: number | null }) {
  const notes = useNotesOf(position);
  if (position === null || notes.every(({ quote }) => quote === "")) return null;
  return <Marks quotes={notes.map(({ quote }) => quote).filter((quote) => quote !== "")} />;
}

function Marks({ quotes }: { quotes: readonly string[] }) {
  const place = useRef<HTMLSpanElement>(null);
  const wanted = quotes.join("\u0000");
  useEffect(() => {
    const card = place.current?.closest("article");
    if (card === null || card === undefined) return undefined;
    const mark = () => markQuotes(card, wanted.split("\u0000"));
    mark();
    // Text that unfolds or is rendered later changes the DOM.
    const observer = new MutationObserver(mark);
    observer.observe(card, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      markQuotes(card, []);
    };
  }, [wanted]);
  return <span ref={place} hidden />;
}
