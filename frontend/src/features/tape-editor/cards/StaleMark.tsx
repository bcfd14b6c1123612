import classes from "@/features/tape-editor/cards/draft.module.css";
import { applied, editedContext } from "@/features/tape-editor/draft";
import { type StepRow, useActions, useEditor } from "@/features/tape-editor/editor";

interface StaleMarkProps {
  row: StepRow;
  /** The first place that the draft changes. */
  editedAt: number;
  canEdit: boolean;
}

/** Says under what a step was recorded, and lets one keep it all the same. */
export function StaleMark({ row, editedAt, canEdit }: StaleMarkProps) {
  const { slot, isStale, index } = row;
  const actions = useActions();
  const isContext = useEditor(({ draft }) => editedContext(applied(draft)) !== undefined);
  const what = isContext ? "context" : `step ${editedAt}`;
  const was = slot.origin !== null && slot.origin !== index ? `, was step ${slot.origin}` : "";
  return (
    <>
      <span
        data-tone="dim"
        title={`Recorded before the ${what} was changed; Resume ${isStale ? "discards it" : "keeps it because of a later change"}.`}
      >
        {isStale ? "stale" : "kept"}, recorded under the old {what}
        {was}
      </span>
      {isStale && canEdit && (
        <button
          type="button"
          className={classes.link}
          title="Make Resume continue after this step or later"
          onClick={() => actions.keep(row)}
        >
          Keep this step
        </button>
      )}
    </>
  );
}
