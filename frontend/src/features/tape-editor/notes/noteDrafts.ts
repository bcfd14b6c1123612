/** Notes that are being written, one for each step: a pure reducer. */
import type { Anchor } from "@/features/tape-editor/notes/anchors";

export interface NoteDraft {
  /** A field or a piece of text; `null`: the step or tape as a whole. */
  anchor: Anchor | null;
  text: string;
  /** The text is a replacement for the selected one. */
  isCorrection: boolean;
}

export interface NoteDrafts {
  /** By the position of the step; "tape" for the tape. */
  byPlace: ReadonlyMap<string, NoteDraft>;
  /** Increases when a person asks to write: the field takes the focus. */
  asked: number;
}

export type NoteDraftEvent =
  | { type: "note.started"; place: string; anchor: Anchor | null }
  | { type: "note.typed"; place: string; text: string }
  | { type: "note.kindChosen"; place: string; isCorrection: boolean }
  | { type: "note.anchored"; place: string; anchor: Anchor | null }
  | { type: "note.finished"; place: string };

export const NO_DRAFTS: NoteDrafts = { byPlace: new Map(), asked: 0 };
export const NO_DRAFT: NoteDraft = { anchor: null, text: "", isCorrection: false };

export function placeOf(position: number | null): string {
  return position === null ? "tape" : String(position);
}

export function reduceNoteDrafts(drafts: NoteDrafts, event: NoteDraftEvent): NoteDrafts {
  const byPlace = new Map(drafts.byPlace);
  const draft = byPlace.get(event.place) ?? NO_DRAFT;
  switch (event.type) {
    case "note.started":
      // Typed text stays: a selection only sets what it is about.
      byPlace.set(event.place, { ...draft, anchor: event.anchor ?? draft.anchor });
      return { byPlace, asked: drafts.asked + 1 };
    case "note.typed":
      byPlace.set(event.place, { ...draft, text: event.text });
      return { ...drafts, byPlace };
    case "note.kindChosen":
      byPlace.set(event.place, meant(draft, event.isCorrection));
      return { ...drafts, byPlace };
    case "note.anchored":
      byPlace.set(event.place, { ...meant(draft, false), anchor: event.anchor });
      return { ...drafts, byPlace };
    case "note.finished":
      byPlace.delete(event.place);
      return { ...drafts, byPlace };
  }
}

/** A correction starts with the selected words; what a person typed is never lost. */
function meant(draft: NoteDraft, isCorrection: boolean): NoteDraft {
  const quote = draft.anchor?.quote ?? "";
  const text = isCorrection && draft.text === "" ? quote : draft.text;
  return { ...draft, isCorrection, text: !isCorrection && text === quote ? "" : text };
}
