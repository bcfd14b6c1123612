import { useEffect, useRef } from "react";

import { fixToName, listFixes, readFix } from "@/features/tape-editor/draft";
import { useEditor, useEditorApi } from "@/features/tape-editor/editor";
import { useAddress } from "@/lib/useAddress";

/** The address names the open fix where there are several; going back in it opens the one it named. */
export function useFixInAddress(): void {
  const store = useEditorApi();
  const [address, change] = useAddress();
  const asked = readFix(address.get("fix"));
  const open = useEditor(({ draft }) => draft.fix);
  const named = useEditor((editor) => fixToName(editor, asked !== null));
  const before = useRef(asked);
  useEffect(() => {
    const hasMoved = asked !== before.current;
    before.current = asked;
    const { dispatch, ...fixes } = store.getState();
    const isThere = listFixes(fixes).some(({ fix }) => fix === asked);
    if (hasMoved && asked !== null && asked !== open && isThere)
      dispatch({ type: "fix.opened", fix: asked });
    else if (named !== asked) change({ fix: named }, { replace: true });
  }, [store, asked, open, named, change]);
}
