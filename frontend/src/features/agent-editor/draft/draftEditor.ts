/** The draft of an open editor, and its copy on the server: one save at a time, the newest wins. */
import { createStore, type StoreApi } from "zustand/vanilla";

import type { AgentDraft } from "@/api/agentDrafts";
import { ApiError, describeError } from "@/api/client";
import type { JsonObject } from "@/lib/json";

export type SaveState = "saved" | "unsaved" | "saving" | "offline" | "conflict" | "refused";

export interface EditedDraft {
  /** As the server last answered. */
  readonly stored: AgentDraft;
  /** What the person sees: the stored spec, with changes that are not saved yet. */
  readonly spec: JsonObject;
  /** Grows with each change of the spec. */
  readonly serial: number;
  readonly save: SaveState;
  /** Why it is not saved; empty if it is. */
  readonly problem: string;
}

export interface DraftServer {
  load: () => Promise<AgentDraft>;
  put: (spec: JsonObject, revision: number) => Promise<AgentDraft>;
  undo: (revision: number) => Promise<AgentDraft>;
  redo: (revision: number) => Promise<AgentDraft>;
}

export interface DraftEditor {
  store: StoreApi<EditedDraft>;
  change: (spec: JsonObject) => void;
  /** Save now what is not saved. Resolves to whether everything is on the server. */
  flush: () => Promise<boolean>;
  undo: () => Promise<void>;
  redo: () => Promise<void>;
  /** After a conflict: show the stored draft, or store the own one over it. */
  loadTheirs: () => Promise<void>;
  keepMine: () => Promise<void>;
  stop: () => void;
}

interface Waits {
  /** From the last change to its save. */
  waitMs?: number;
  retryMs?: number;
}

export function openDraftEditor(
  draft: AgentDraft,
  server: DraftServer,
  { waitMs = 400, retryMs = 3000 }: Waits = {},
): DraftEditor {
  const store = createStore<EditedDraft>(() => ({
    stored: draft,
    spec: draft.spec,
    serial: 0,
    save: "saved",
    problem: "",
  }));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | null = null;

  function schedule(milliseconds: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void send(), milliseconds);
  }

  function change(spec: JsonObject): void {
    const { serial, save } = store.getState();
    // The person first decides what happens to the other draft.
    const isConflict = save === "conflict";
    store.setState({ spec, serial: serial + 1, ...(isConflict ? {} : UNSAVED) });
    if (!isConflict) schedule(waitMs);
  }

  function send(): Promise<void> {
    clearTimeout(timer);
    running ??= sendOnce().finally(() => {
      running = null;
      const { save } = store.getState();
      if (save === "unsaved") schedule(waitMs);
      if (save === "offline") schedule(retryMs);
    });
    return running;
  }

  async function sendOnce(): Promise<void> {
    const { spec, stored } = store.getState();
    store.setState({ save: "saving" });
    try {
      const saved = await server.put(spec, stored.revision);
      const isNewest = store.getState().spec === spec;
      store.setState({ stored: saved, ...(isNewest ? SAVED : UNSAVED) });
    } catch (error) {
      store.setState({ save: whyNot(error), problem: describeError(error) });
    }
  }

  async function flush(): Promise<boolean> {
    // A save may be under way with an older spec; then another one is needed.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { save } = store.getState();
      if (save === "saved") return true;
      if (save === "conflict") return false;
      await send();
    }
    return store.getState().save === "saved";
  }

  function show(stored: AgentDraft): void {
    const { serial } = store.getState();
    store.setState({ stored, spec: stored.spec, serial: serial + 1, ...SAVED });
  }

  async function step(
    can: (stored: AgentDraft) => boolean,
    go: (revision: number) => Promise<AgentDraft>,
  ): Promise<void> {
    if (!(await flush()) || !can(store.getState().stored)) return;
    try {
      show(await go(store.getState().stored.revision));
    } catch (error) {
      store.setState({ save: whyNot(error), problem: describeError(error) });
    }
  }

  return {
    store,
    change,
    flush,
    undo: () => step(({ can_undo: can }) => can, server.undo),
    redo: () => step(({ can_redo: can }) => can, server.redo),
    loadTheirs: async () => show(await server.load()),
    keepMine: async () => {
      // Their revision, and the version that theirs began with: a save compares with that.
      const { revision, base } = await server.load();
      store.setState(({ stored }) => ({ stored: { ...stored, revision, base }, ...UNSAVED }));
      await send();
    },
    stop: () => clearTimeout(timer),
  };
}

const SAVED = { save: "saved", problem: "" } as const;
const UNSAVED = { save: "unsaved", problem: "" } as const;

function whyNot(error: unknown): "offline" | "conflict" | "refused" {
  if (!(error instanceof ApiError)) return "offline";
  if (error.code === "draft_changed") return "conflict";
  return error.status >= 400 && error.status < 500 ? "refused" : "offline";
}
