/** What a person can do to the steps of an open editor; buttons, menus and keys all call these. */
import { createContext, useContext, useLayoutEffect, useMemo, useRef } from "react";
import type { StoreApi } from "zustand";

import type { StepData } from "@/api/types";
import type { DraftEdit, Operation, StepJson } from "@/features/tape-editor/draft";
import { type EditorStore, useEditorApi } from "@/features/tape-editor/editor/editorStore";
import type { StepRow } from "@/features/tape-editor/editor/rows";
import type { TapeModel } from "@/features/tape-editor/editor/tapeModel";
import { linkTo } from "@/lib/project";
import { stepMarkdown } from "@/lib/stepMarkdown";
import { dataOf } from "@/lib/stepParts";
import { prettyJson } from "@/lib/valueShapes";
import { copyText } from "@/ui/copyText";

export interface EditorActions {
  select: (index: number) => void;
  edit: (row: StepRow) => void;
  /** Write the form's content into the draft. */
  write: (row: StepRow, step: StepJson, recorded: StepData | undefined) => void;
  /** Replace the step immediately. */
  replace: (row: StepRow, step: StepJson, recorded: StepData | undefined) => void;
  /** Restore the step as it was recorded. */
  restore: (row: StepRow, recorded: StepData) => void;
  /** Ask which kind of step to insert. */
  askInsert: (index: number) => void;
  insert: (index: number, step: StepJson) => void;
  remove: (row: StepRow) => void;
  /** Move a step to the index `to`. */
  move: (index: number, to: number) => void;
  /** Let the agent continue after this step at the earliest. */
  keep: (row: StepRow) => void;
  /** Leave out this step and all later ones. */
  cut: (index: number) => void;
  /** Keep the steps up to here, to continue differently. */
  fork: (row: StepRow) => void;
  /** Fork many times after this step. */
  runN: (row: StepRow) => void;
  comment: (row: StepRow) => void;
  /** Show the step as JSON, or as a card again. */
  toggleRaw: (row: StepRow) => void;
  /** Without a field, the link names only the step; `field` is a JSON pointer into its body. */
  copyLink: (row: StepRow, field?: string) => void;
  copyJson: (body: StepJson) => void;
  copyMarkdown: (row: StepRow, body: StepJson) => void;
}

interface ActionsOptions {
  model: TapeModel;
  select: (index: number) => void;
  /** Go to another place of this tape: names in the address and their new values. */
  goTo: (part: Record<string, string | null>) => void;
}

/** The same object as long as the editor is open: a new one would render every card again. */
export function useBuiltActions(options: ActionsOptions): EditorActions {
  const store = useEditorApi();
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });
  // Read when an action runs, never while rendering.
  // eslint-disable-next-line react-hooks/refs
  return useMemo(() => buildActions(store, () => latest.current), [store]);
}

/** `now` returns what is on the screen when an action runs. */
function buildActions(store: StoreApi<EditorStore>, now: () => ActionsOptions): EditorActions {
  const { dispatch } = store.getState();
  const select = (index: number) => now().select(index);
  const openForm = (slot: string, index: number) => {
    dispatch({ type: "form.closed" });
    dispatch({ type: "form.opened", slot });
    select(index);
  };
  const change = (operation: Operation, more: Partial<DraftEdit> = {}) => {
    const stepCount = now().model.outline.length;
    dispatch({ type: "draft.edited", operation, stepCount, ...more });
  };
  const replace = (row: StepRow, step: StepJson, recorded: StepData | undefined) => {
    dispatch({ type: "form.closed" });
    change({ op: "replace", position: row.index, step }, recordedOf(row, recorded));
  };
  const edit = (row: StepRow) => openForm(row.slot.key, row.index);
  const cut = (index: number) => {
    if (index < now().model.slots.length) change({ op: "cut", position: index });
    select(Math.max(0, index - 1));
  };
  return {
    select,
    edit,
    write: (row, step, recorded) => {
      const operation: Operation = { op: "replace", position: row.index, step };
      const stepCount = now().model.outline.length;
      const edit = { operation, session: row.slot.key, stepCount, ...recordedOf(row, recorded) };
      dispatch({ type: "typing.changed", edit });
    },
    replace,
    restore: (row, recorded) => replace(row, withoutMetadata(recorded.body), recorded),
    askInsert: (index) => dispatch({ type: "insert.asked", index }),
    insert: (index, step) => {
      dispatch({ type: "typing.settled" });
      const key = `new-${store.getState().draft.appliedCount}`;
      change({ op: "insert", position: index, step }, { session: key });
      dispatch({ type: "insert.asked", index: null });
      dispatch({ type: "form.opened", slot: key });
      select(index);
    },
    remove: (row) => {
      change({ op: "delete", position: row.index });
      select(Math.max(0, Math.min(row.index, now().model.slots.length - 2)));
    },
    move: (index, to) => {
      if (to < 0 || to >= now().model.slots.length || to === index) return;
      change({ op: "move", position: index, to });
      select(to);
    },
    keep: (row) => change({ op: "keep", position: row.index }),
    cut,
    fork: (row) => {
      // A fork at a person's message opens it for editing, so that they can rephrase it.
      cut(row.index + 1);
      if (isFromPerson(row)) edit(row);
      else select(row.index);
    },
    runN: (row) => now().goTo({ n: "new", step: String(row.index) }),
    comment: (row) => now().goTo({ view: "notes", step: String(row.index) }),
    toggleRaw: (row) => dispatch({ type: "text.toggled", key: rawKey(row) }),
    copyLink: (row, field) => void copyText(stepAddress(row, field), "Link copied"),
    copyJson: (body) => void copyText(prettyJson(body), "Step copied as JSON"),
    copyMarkdown: (row, body) =>
      void copyText(stepMarkdown(row.index, body), "Step copied as Markdown"),
  };
}

function recordedOf(row: StepRow, recorded: StepData | undefined) {
  if (recorded === undefined || row.slot.origin === null) return {};
  return { recorded: { slot: row.slot.key, step: withoutMetadata(recorded.body) } };
}

function isFromPerson({ recorded, slot }: StepRow): boolean {
  return (slot.written?.kind ?? recorded?.kind) === "user";
}

/** The link names the step as recorded, which is what others see. */
function stepAddress(row: StepRow, field = ""): string {
  const address = linkTo(window.location.href);
  address.searchParams.set("step", String(row.slot.origin ?? row.index));
  if (field === "") address.searchParams.delete("field");
  else address.searchParams.set("field", field);
  return address.href;
}

/** The store's key for showing a step as JSON. */
export function rawKey({ slot }: StepRow): string {
  return `${slot.key}.raw`;
}

/** The server keeps the author of a step; only kind and data can be edited. */
export function withoutMetadata(body: StepJson): StepJson {
  return { kind: body.kind, ...dataOf(body) };
}

const ActionsContext = createContext<EditorActions | null>(null);
export const ActionsProvider = ActionsContext.Provider;

export function useActions(): EditorActions {
  const actions = useContext(ActionsContext);
  if (actions === null) throw new Error("This must be rendered inside a tape editor.");
  return actions;
}
