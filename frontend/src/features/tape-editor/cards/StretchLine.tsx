import { IconHistory } from "@tabler/icons-react";

import classes from "@/features/tape-editor/cards/cards.module.css";
import { applied, editedContext } from "@/features/tape-editor/draft";
import { type Stretch, useEditor } from "@/features/tape-editor/editor";
import { countOf } from "@/lib/format";

/** States once, above its steps, which edit they were recorded before and what becomes of them. */
export function StretchLine({ stretch: { kind, count, editedAt } }: { stretch: Stretch }) {
  const isContext = useEditor(({ draft }) => editedContext(applied(draft)) !== undefined);
  const [are, them] = count === 1 ? ["is", "it"] : ["are", "them"];
  const what = isContext ? "context" : `step ${editedAt}`;
  return (
    <div className={`ts-row ts-hint ${classes.stretch}`} role="note">
      <IconHistory size={14} stroke={1.75} aria-hidden="true" />
      {countOf(count, "later step")} {are}{" "}
      {kind === "stale"
        ? `outdated, recorded before you edited ${what}; Resume replaces ${them}`
        : `kept, because a step after ${them} was edited, too`}
    </div>
  );
}
