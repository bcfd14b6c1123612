/** What is typed, streamed and unfolded in one open editor: one store, one pure reducer. */
import { createContext, useContext } from "react";
import { createStore, useStore, type StoreApi } from "zustand";

import { type Look, readLook, type Revealed } from "@/features/tape-editor/look";
import {
  applyOperations,
  type Draft,
  type DraftEdit,
  type DraftEvent,
  EMPTY_DRAFT,
  type FixEvent,
  type Parked,
  reduceDraft,
  reduceFixes,
} from "@/features/tape-editor/draft";
import {
  emptyLiveTape,
  type LiveEvent,
  type LiveTape,
  reduceLive,
} from "@/features/tape-editor/live";
import type { MadeWith } from "@/api/types";
import {
  DEFAULT_CHOICE,
  loadChoice,
  type RunChoice,
  withMadeWith,
} from "@/features/tape-editor/choice";

export interface Editor {
  live: LiveTape;
  /** The open fix. */
  draft: Draft;
  /** The person's other fixes. */
  parked: Parked;
  /** Typing that is not in the draft yet: a key press must not cost as much as an edit. */
  typing: DraftEdit | null;
  /** Unfolded texts, by the key of their place and their name. */
  unfolded: ReadonlySet<string>;
  /** The place whose form is open. */
  editing: string | null;
  /** The form was just opened, so the caret belongs in its first field once that is drawn. */
  wantsCaret: boolean;
  /** Where to insert a new step, while the dialog asks for its kind. */
  insertingAt: number | null;
  /** Positions of the steps in the agent view that the person highlighted. */
  highlighted: ReadonlySet<number>;
  look: Look;
  /** Hidden steps that the person asked to see. */
  revealed: readonly Revealed[];
  /** What is chosen for the next run. */
  choice: RunChoice;
  /** The choice was made here; otherwise it is as the tape was made, and nothing is kept of it. */
  isChosen: boolean;
}

export type EditorEvent =
  | LiveEvent
  | DraftEvent
  | FixEvent
  | { type: "typing.changed"; edit: DraftEdit }
  | { type: "typing.settled" }
  | { type: "text.toggled"; key: string }
  | { type: "look.changed"; look: Look }
  | { type: "steps.revealed"; from: number; to: number }
  | { type: "form.opened"; slot: string }
  | { type: "form.entered" }
  | { type: "form.closed" }
  | { type: "insert.asked"; index: number | null }
  | { type: "steps.highlighted"; positions: readonly number[] }
  | { type: "choice.changed"; part: Partial<RunChoice> }
  | { type: "choice.found"; made: MadeWith };

export interface EditorStore extends Editor {
  dispatch: (event: EditorEvent) => void;
}

export function emptyEditor(tapeId: string): Editor {
  const kept = loadChoice(tapeId);
  return {
    live: emptyLiveTape(tapeId),
    draft: EMPTY_DRAFT,
    parked: {},
    typing: null,
    unfolded: new Set(),
    editing: null,
    wantsCaret: false,
    insertingAt: null,
    highlighted: new Set(),
    look: readLook(),
    revealed: [],
    choice: kept ?? DEFAULT_CHOICE,
    isChosen: kept !== null,
  };
}

export function reduceEditor(editor: Editor, event: EditorEvent): Editor {
  switch (event.type) {
    case "choice.changed":
      return { ...editor, choice: { ...editor.choice, ...event.part }, isChosen: true };
    case "choice.found":
      return { ...editor, choice: withMadeWith(editor.choice, event.made) };
    case "run.watched":
    case "run.answered":
    case "run.cutOff":
    case "run.message":
      return { ...editor, live: reduceLive(editor.live, event) };
    case "text.toggled": {
      const unfolded = new Set(editor.unfolded);
      if (!unfolded.delete(event.key)) unfolded.add(event.key);
      return { ...editor, unfolded };
    }
    case "look.changed":
      return { ...editor, look: event.look, revealed: [] };
    case "steps.revealed":
      return { ...editor, revealed: [...editor.revealed, { from: event.from, to: event.to }] };
    case "form.opened":
      return { ...settled(editor), editing: event.slot, wantsCaret: true };
    case "form.entered":
      return { ...editor, wantsCaret: false };
    case "form.closed": {
      const left = settled(editor);
      return { ...left, editing: null, draft: { ...left.draft, session: null } };
    }
    case "typing.changed": {
      const continues = editor.typing === null || editor.typing.session === event.edit.session;
      return { ...(continues ? editor : settled(editor)), typing: event.edit };
    }
    case "typing.settled":
      return settled(editor);
    case "insert.asked":
      return { ...editor, insertingAt: event.index };
    case "steps.highlighted":
      return { ...editor, highlighted: new Set(event.positions) };
    case "fix.started": {
      const left = settled(editor);
      const editing = formOfNewFix(left, event);
      return { ...left, editing, wantsCaret: editing !== null, ...reduceFixes(left, event) };
    }
    case "fix.opened":
    case "fix.restored":
    case "fix.removed": {
      const left = settled(editor);
      return { ...left, editing: null, ...reduceFixes(left, event) };
    }
    case "fixes.loaded":
      return { ...editor, ...reduceFixes(editor, event) };
    case "draft.sending":
    case "draft.saved":
    case "draft.notSaved":
      return ofFix(editor, event);
    case "draft.emptied":
      return { ...editor, typing: null, editing: null, draft: reduceDraft(editor.draft, event) };
    case "draft.loaded":
      return { ...editor, typing: null, draft: reduceDraft(editor.draft, event) };
    case "draft.edited":
    case "draft.editedTogether":
    case "draft.undone":
    case "draft.redone": {
      const left = settled(editor);
      return { ...left, draft: reduceDraft(left.draft, event) };
    }
    default:
      return { ...editor, draft: reduceDraft(editor.draft, event) };
  }
}

/** Another way to edit the same step, which is shown as recorded: its form stays open. */
function formOfNewFix(
  { editing }: Editor,
  { operations, stepCount }: Extract<FixEvent, { type: "fix.started" }>,
): string | null {
  if (operations.length > 0) return null;
  const isRecorded = applyOperations(stepCount, []).some(({ key }) => key === editing);
  return isRecorded ? editing : null;
}

/** A save belongs to the fix that was sent, which may be parked by now. */
function ofFix(
  editor: Editor,
  event: Extract<DraftEvent, { type: "draft.sending" | "draft.saved" | "draft.notSaved" }>,
): Editor {
  const { draft, parked } = editor;
  if (event.fix === draft.fix) return { ...editor, draft: reduceDraft(draft, event) };
  const sent = parked[event.fix];
  if (sent === undefined) return editor;
  return { ...editor, parked: { ...parked, [event.fix]: reduceDraft(sent, event) } };
}

/** Turns what is being typed into an edit of the draft, before any other edit. */
function settled(editor: Editor): Editor {
  if (editor.typing === null) return editor;
  const draft = reduceDraft(editor.draft, { type: "draft.edited", ...editor.typing });
  return { ...editor, typing: null, draft };
}

/** The page has something that the server does not. */
export function hasUnsaved(editor: Editor): boolean {
  return editor.typing !== null || findUnsaved(editor) !== null;
}

/** A fix with changes that the server does not have: the open one first. */
export function findUnsaved({ draft, parked }: Editor): Draft | null {
  if (draft.save !== "saved") return draft;
  return Object.values(parked).find(({ save }) => save !== "saved") ?? null;
}

export function createEditorStore(tapeId: string): StoreApi<EditorStore> {
  return createStore<EditorStore>((set) => ({
    ...emptyEditor(tapeId),
    dispatch: (event) => set((editor) => reduceEditor(editor, event)),
  }));
}

const EditorContext = createContext<StoreApi<EditorStore> | null>(null);
export const EditorProvider = EditorContext.Provider;

export function useEditorApi(): StoreApi<EditorStore> {
  const store = useContext(EditorContext);
  if (store === null) throw new Error("This must be rendered inside a tape editor.");
  return store;
}

export function useEditor<T>(select: (editor: EditorStore) => T): T {
  return useStore(useEditorApi(), select);
}
