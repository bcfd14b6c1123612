/** What the open fix does, in words: how many edits, where it resumes, what is kept. */
import { Button } from "@mantine/core";

import { applied } from "@/features/tape-editor/draft";
import { useEditor, useTapeModel } from "@/features/tape-editor/editor";
import { canSplit, findPlaces } from "@/features/tape-editor/fixes/editPlaces";
import classes from "@/features/tape-editor/fixes/fixes.module.css";
import { countOf } from "@/lib/format";

export function EditSummary({ onSplit }: { onSplit: () => void }) {
  const { slots, editedAt, resumeAt, unaffected } = useTapeModel();
  const draft = useEditor((editor) => editor.draft);
  const places = findPlaces(slots, editedAt, resumeAt);
  if (places === null) return null;
  const { written, last, between } = places;
  const count = countOf(Math.max(1, written.length), "edit");
  const dropped = slots.length - last - 1 - unaffected.size;
  return (
    <span
      className={`ts-hint ${classes.summary}`}
      role="status"
      data-wide={between !== null || undefined}
    >
      <strong>{count}</strong>
      {last < 0 ? ", starts over" : `, resumes after step ${last}`}
      {dropped > 0 && `; ${countOf(dropped, "later step")} will be redone`}
      {unaffected.size > 0 && `; ${countOf(unaffected.size, "step")} of other lanes stay`}
      {between !== null && (
        <span className="ts-warn">
          ; {stepsOf(between)} recorded before the earlier edit, and kept
        </span>
      )}
      {between !== null && canSplit(applied(draft)) && (
        <Button variant="subtle" size="compact-xs" onClick={onSplit}>
          Move the last edit to a new fix
        </Button>
      )}
    </span>
  );
}

function stepsOf({ from, to }: { from: number; to: number }): string {
  return from === to ? `step ${from} was` : `steps ${from} to ${to} were`;
}
