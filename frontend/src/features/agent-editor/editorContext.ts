/** What all parts of an open agent editor share. */
import { createContext, useContext } from "react";
import { useStore } from "zustand";

import type { NodeType } from "@/api/agentDrafts";
import type { AgentDetail } from "@/api/types";
import type { DraftEditor, EditedDraft } from "@/features/agent-editor/draft/draftEditor";
import type { JsonObject } from "@/lib/json";

/** The id of the number of the version that the draft begins with: a new one, after a save. */
export const EDITED_VERSION = "edited-version";

export interface AgentEditorState {
  agent: AgentDetail;
  nodeTypes: readonly NodeType[];
  editor: DraftEditor;
  /** The path of the selected node or agent. */
  selected: string;
  /** Select a node or an agent, and put the cursor in one of its fields. */
  select: (path: string, field?: string) => void;
}

const AgentEditorContext = createContext<AgentEditorState | null>(null);
export const AgentEditorProvider = AgentEditorContext.Provider;

export function useAgentEditor(): AgentEditorState {
  const state = useContext(AgentEditorContext);
  if (state === null) throw new Error("This must be rendered inside an agent editor.");
  return state;
}

export function useEdited<Part>(read: (draft: EditedDraft) => Part): Part {
  return useStore(useAgentEditor().editor.store, read);
}

/** The current spec, and how to change it. */
export function useSpec(): [JsonObject, (spec: JsonObject) => void] {
  return [useEdited(({ spec }) => spec), useAgentEditor().editor.change];
}
