/** Controls above the cards: how much of the tape they show, and how its texts are drawn. */
import { SegmentedControl } from "@mantine/core";
import { memo } from "react";

import classes from "@/features/tape-editor/cards/cards.module.css";
import { DETAIL_WORDS, DETAILS, keepLook, type Look } from "@/features/tape-editor/look";
import { useEditor } from "@/features/tape-editor/editor";

/** Reserves their space until they are drawn. */
export function ToolsPlace() {
  return <div className={`${classes.tools} ${classes.toolsPlace}`} />;
}

/** Separate from the cards, which render again on every frame of scrolling. */
export const TapeTools = memo(function TapeTools() {
  const look = useEditor((editor) => editor.look);
  const dispatch = useEditor((editor) => editor.dispatch);
  const onLook = (part: Partial<Look>) => {
    const next = { ...look, ...part };
    keepLook(next);
    dispatch({ type: "look.changed", look: next });
  };
  return (
    <div className={classes.tools}>
      <SegmentedControl
        aria-label="Detail"
        data={DETAILS.map((value) => ({ value, label: DETAIL_WORDS[value] }))}
        value={look.detail}
        onChange={(detail) => onLook({ detail })}
      />
      <SegmentedControl
        aria-label="Text"
        data={[
          { value: "rendered", label: "Rendered" },
          { value: "plain", label: "Plain" },
        ]}
        value={look.isRendered ? "rendered" : "plain"}
        onChange={(value) => onLook({ isRendered: value === "rendered" })}
      />
    </div>
  );
});
