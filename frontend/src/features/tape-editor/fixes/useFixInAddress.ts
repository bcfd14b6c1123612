import { useEffect, useRef } from "react";

import { fixForAddress, listFixes, readFix } from "@/features/tape-editor/draft";
import { useEditor, useEditorApi } from "@/features/tape-editor/editor";
import { useAddress } from "@/lib/useAddress";

/** Keeps the open fix in the address when there are several; going back opens the fix it named. */
export function useFixInAddress(): void {
  const store = useEditorApi();
  const [address, change] = useAddress();
  const asked = readFix(address.get("fix"));
  const open = useEditor(({ draft }) => draft.fix);
  const named = useEditor((editor) => fixForAddress(editor, asked !== null));
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
