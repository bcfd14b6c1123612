/** What a person must know while editing: who else does, and that the tape has grown. */
import { Button } from "@mantine/core";
import { IconTimelineEvent, IconUsers } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";

import type { OtherDraft } from "@/api/types";
import { watchDraftQuery } from "@/features/tape-editor/saving/api";
import classes from "@/features/tape-editor/saving/saving.module.css";
import { loaded } from "@/features/tape-editor/saving/useDraft";
import { hasUnsaved, useEditor, useEditorApi, useTapeModel } from "@/features/tape-editor/editor";
import { countOf, formatRelative } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

export function DraftNotices() {
  const { tape, outline, isRunning } = useTapeModel();
  useDraftWatch(tape.id);
  const others = useEditor(({ draft }) => draft.others);
  const base = useEditor(({ draft }) => (draft.operations.length > 0 ? draft.baseStepCount : null));
  const grown = base === null || isRunning ? 0 : outline.length - base;
  return (
    <>
      {others.length > 0 && <OthersNotice others={others} />}
      {grown > 0 && <GrownNotice grown={grown} stepCount={outline.length} />}
    </>
  );
}

function OthersNotice({ others }: { others: readonly OtherDraft[] }) {
  return (
    <div className={`ts-row ts-panel ${classes.notice}`} role="status">
      <IconUsers size={14} stroke={1.75} aria-hidden="true" />
      <span>
        {others.map(sentenceOf).join(" ")} Each of you saves a separate tape; neither overwrites the
        other.
      </span>
    </div>
  );
}

function sentenceOf({ person, change_count: count, updated_at: moment }: OtherDraft): string {
  const when = formatRelative(new Date(moment), new Date());
  return `${visibleText(person)} is editing this tape too: ${countOf(count, "change")}, ${when}.`;
}

function GrownNotice({ grown, stepCount }: { grown: number; stepCount: number }) {
  const dispatch = useEditor((editor) => editor.dispatch);
  return (
    <div className={`ts-row ts-panel ${classes.notice}`} data-tone="warn" role="alert">
      <IconTimelineEvent size={14} stroke={1.75} aria-hidden="true" />
      <span>
        The tape gained {countOf(grown, "step")} since you started this draft. Review them before
        you save or resume.
      </span>
      <Button
        variant="default"
        size="compact-xs"
        onClick={() => dispatch({ type: "draft.growthAccepted", stepCount })}
      >
        Edit the longer tape
      </Button>
    </div>
  );
}

/** The person's other tabs may have changed the draft, and other people may start or end theirs. */
function useDraftWatch(tapeId: string): void {
  const store = useEditorApi();
  const fix = useEditor(({ draft }) => draft.fix);
  const { data } = useQuery(watchDraftQuery(tapeId, fix));
  useEffect(() => {
    if (data === null) return;
    const { dispatch, ...editor } = store.getState();
    dispatch({ type: "draft.othersLoaded", others: data.others });
    // Only if nothing is lost; otherwise the next save reports the conflict.
    if (data.fix === editor.draft.fix && data.version > editor.draft.version && !hasUnsaved(editor))
      dispatch(loaded(data));
  }, [store, data]);
}
