/** Lets the parts of steps use the editor's state: what is unfolded, and how text is drawn. */
import { useMemo, type ReactNode } from "react";

import { useEditor, useEditorApi } from "@/features/tape-editor/editor";
import { FoldProvider, LookProvider, type FoldMemory } from "@/ui/parts/folds";

export function ReadingProvider({ children }: { children: ReactNode }) {
  const store = useEditorApi();
  const look = useEditor((editor) => editor.look);
  const memory = useMemo(
    (): FoldMemory => ({
      isOpen: (key) => store.getState().unfolded.has(key),
      toggle: (key) => store.getState().dispatch({ type: "text.toggled", key }),
      subscribe: store.subscribe,
    }),
    [store],
  );
  return (
    <FoldProvider value={memory}>
      <LookProvider value={look}>{children}</LookProvider>
    </FoldProvider>
  );
}
