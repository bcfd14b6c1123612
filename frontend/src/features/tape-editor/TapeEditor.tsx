/** One open editor: its store, model, keys, and the panes that draw them. */
import { useCallback, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router";

import { ForWriters } from "@/api/ForWriters";
import { describeError } from "@/api/client";
import type { Draft as StoredDraft, Tape } from "@/api/types";
import { useOutline } from "@/api/useOutline";
import { FieldLinks, ReadingProvider, ReplacedProvider } from "@/features/tape-editor/cards";
import { useFixInAddress } from "@/features/tape-editor/fixes";
import { openStore, useAutosave, useOpeningDraft } from "@/features/tape-editor/saving";
import {
  ActionsProvider,
  EditorProvider,
  hasForm,
  ModelProvider,
  type Selection,
  useBuiltActions,
  useBuiltModel,
  useSelection,
} from "@/features/tape-editor/editor";
import { InsertDialog } from "@/features/tape-editor/form";
import { TapeHeader } from "@/features/tape-editor/header";
import { RunBar, useLiveRun } from "@/features/tape-editor/run";
import { LoadingTape } from "@/features/tape-editor/LoadingTape";
import { LintProvider } from "@/features/tape-editor/lint";
import { FamilyProvider, useFind, useHighlights } from "@/features/tape-editor/map";
import classes from "@/features/tape-editor/TapeEditor.module.css";
import { type PaneName, Panes } from "@/features/tape-editor/panes";
import { NotesProvider, SelectionComment } from "@/features/tape-editor/notes";
import { PlaygroundHost } from "@/features/tape-editor/playground";
import { RegressionTestHost } from "@/features/tape-editor/regression";
import { RunNHost, useRunN } from "@/features/tape-editor/run-n";
import { useEditorKeys } from "@/features/tape-editor/keys";
import { useKeysAhead } from "@/lib/keys";
import { AfterPaint } from "@/ui/AfterPaint";
import { StaleNotice } from "@/ui/States";

interface TapeEditorProps {
  tape: Tape;
  /** The last refresh failed; the page shows older data. */
  refreshError: Error | null;
  onRefresh: () => void;
}

export function TapeEditor(props: TapeEditorProps) {
  const draft = useOpeningDraft(props.tape);
  if (draft === undefined) return <LoadingTape />;
  return <EditorOf {...props} draft={draft} />;
}

function EditorOf({ draft, ...props }: TapeEditorProps & { draft: StoredDraft | null }) {
  const [store] = useState(() => openStore(props.tape, draft));
  return (
    <EditorProvider value={store}>
      <ReadingProvider>
        <FamilyProvider tapeId={props.tape.id}>
          <ReplacedProvider tape={props.tape}>
            <OpenEditor {...props} />
          </ReplacedProvider>
        </FamilyProvider>
      </ReadingProvider>
    </EditorProvider>
  );
}

function OpenEditor({ tape, refreshError, onRefresh }: TapeEditorProps) {
  useLiveRun(tape.id, tape.job);
  useFixInAddress();
  const { autosave, onLoadTheirs, onKeepMine } = useAutosave(tape.id);
  const [params] = useSearchParams();
  const outline = useOutline(tape.id, tape.step_count, Number(params.get("step")));
  const model = useBuiltModel(tape, outline.pages);
  const selection = useSelection(model.slots.length, hasForm(model));
  const actions = useBuiltActions({ model, select: selection.select, goTo: selection.goTo });
  const [search, setSearch] = useState("");
  const [pane, setPane] = useState(() => firstPane(tape, selection));
  const findField = useRef<HTMLInputElement>(null);
  const found = useFind(tape.id, model.slots, search);
  const page = useRef<HTMLDivElement>(null);
  useHighlights(page, found.words);
  const callbacks = useMemo(
    () => ({
      onFind: () => setPane("steps"),
      onInspect: () => setPane("inspector"),
      onEdit: () => setPane("tape"),
      onLeaveFind: () => setSearch(""),
    }),
    [],
  );
  const isFinding = found.words.length > 0;
  const runN = useRunN();
  useEditorKeys({
    model,
    selection,
    actions,
    findField,
    found: found.lines,
    isFinding,
    isCovered: runN.view.kind !== "closed",
    ...callbacks,
  });

  const { select } = selection;
  // Where panes are stacked, the pane of the step comes to the front.
  const onShow = useCallback(
    (step: number) => {
      setPane("tape");
      select(step);
    },
    [select],
  );
  const onOpenNotes = (step: number | null) => {
    setPane("inspector");
    selection.goTo({ view: "notes", ...(step !== null && { step: String(step) }) });
  };
  const onClosePlayground = (step?: number) =>
    selection.goTo({ view: "prompt", ...(step !== undefined && { step: String(step) }) });

  return (
    <ModelProvider value={model}>
      <ActionsProvider value={actions}>
        <NotesProvider tapeId={tape.id} onOpen={onOpenNotes}>
          <LintProvider isOutlineKnown={outline.isComplete}>
            <div className={`ts-column ${classes.page}`} ref={page}>
              <TapeHeader
                step={selection.step}
                onSelect={onShow}
                onLoadTheirs={onLoadTheirs}
                onKeepMine={onKeepMine}
              />
              {refreshError !== null && (
                <StaleNotice message={describeError(refreshError)} onRetry={onRefresh} />
              )}
              {outline.error !== null && (
                <StaleNotice message={describeError(outline.error)} onRetry={outline.retry} />
              )}
              <RunNHost runN={runN} step={selection.step} autosave={autosave}>
                <Panes
                  selection={selection}
                  pane={pane}
                  onPane={setPane}
                  find={{ search, onSearch: setSearch, found, field: findField }}
                />
              </RunNHost>
              {!tape.is_archived && (
                <AfterPaint meanwhile={<RunPlace />}>
                  <RunBar autosave={autosave} />
                </AfterPaint>
              )}
              <FieldLinks root={page} step={selection.step} field={selection.field} />
              <AfterPaint>
                <InsertDialog />
                <RegressionTestHost />
                <PlaygroundHost
                  selected={selection.step}
                  isOpen={selection.isPlayground}
                  onClose={onClosePlayground}
                />
              </AfterPaint>
              <ForWriters>
                <SelectionComment selected={selection.step} />
              </ForWriters>
            </div>
          </LintProvider>
        </NotesProvider>
      </ActionsProvider>
    </ModelProvider>
  );
}

/** Reserves the space of the run bar, and its key, until it is drawn. */
function RunPlace() {
  useKeysAhead("Tape", RUN_KEYS);
  return <div className={classes.runPlace} />;
}

const RUN_KEYS = [{ keys: "mod+Enter", label: "Resume", whileTyping: true }];

/** The first pane where only one fits: the map, unless a run, a link or a comparison needs the
 * tape. */
function firstPane(tape: Tape, { step, compared }: Selection): PaneName {
  return tape.active_job_id === null && step === null && compared === null ? "steps" : "tape";
}
