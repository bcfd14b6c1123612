/** The right half: a tape of the agent, its steps, and the prompt that the draft makes there. */
import { Anchor, Select } from "@mantine/core";
import { IconRoute } from "@tabler/icons-react";
import { useCallback, useEffect, useMemo } from "react";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { ForWriters } from "@/api/ForWriters";
import { buildOutline, type Outline } from "@/api/outline";
import type { Tape, TapeRow } from "@/api/types";
import { useOutline } from "@/api/useOutline";
import classes from "@/features/agent-editor/agentEditor.module.css";
import { findWriter } from "@/features/agent-editor/draft/specPlaces";
import { useAgentEditor } from "@/features/agent-editor/editorContext";
import { DraftPromptPane } from "@/features/agent-editor/tape/DraftPromptPane";
import { RunDraft } from "@/features/agent-editor/tape/RunDraft";
import { StepList } from "@/features/agent-editor/tape/StepList";
import {
  type ChosenTape,
  isGoing,
  useChosenTape,
} from "@/features/agent-editor/tape/useChosenTape";
import { NotesProvider, NotesToRead } from "@/features/tape-editor/notes";
import { formatMoment } from "@/lib/format";
import { OUTCOME_WORDS } from "@/lib/outcomes";
import { useAddress } from "@/lib/useAddress";
import { visibleText } from "@/lib/visibleText";
import { JobStateBadge } from "@/ui/JobStateBadge";
import { EmptyState, ErrorState, RowsSkeleton } from "@/ui/States";

export function TapeSide() {
  const { agent } = useAgentEditor();
  const chosen = useChosenTape(agent.name);
  const { tapeId, tape, isLoading, error, retry } = chosen;
  if (error !== null) {
    return (
      <ErrorState
        title="The tape could not be loaded"
        message={describeError(error)}
        onRetry={retry}
      />
    );
  }
  if (isLoading) return <RowsSkeleton rows={8} label="Loading the tape" />;
  if (tapeId === null || tape.data === undefined) {
    return (
      <EmptyState
        title="No tape of this agent yet"
        icon={<IconRoute size={24} stroke={1.5} />}
        action={
          <Anchor component={Link} to={`/agents/${agent.id}`}>
            Start a tape
          </Anchor>
        }
      >
        Once there is one, this side shows its steps, and the prompt that the draft makes at each.
      </EmptyState>
    );
  }
  return (
    <NotesProvider key={tapeId} tapeId={tapeId}>
      <OpenTape tape={tape.data} chosen={chosen} />
    </NotesProvider>
  );
}

function OpenTape({ tape, chosen }: { tape: Tape; chosen: ChosenTape }) {
  const [address, changeAddress] = useAddress();
  const { editor } = useAgentEditor();
  const asked = readStep(address.get("step"));
  const loading = useOutline(tape.id, tape.step_count, asked ?? 0);
  const { pages } = loading;
  const outline = useMemo(() => buildOutline(tape.step_count, pages), [tape.step_count, pages]);
  const selected = asked ?? chooseStep(outline);
  const row = selected === null ? undefined : outline.at(selected);
  const isWritten = row !== undefined && row.node !== "" && row.family !== "observation";
  const place = useMemo(
    () => (isWritten && selected !== null ? { tapeId: tape.id, position: selected } : null),
    [isWritten, selected, tape.id],
  );
  const showWriter = useCallback(
    (position: number) => {
      const step = outline.at(position);
      const { spec } = editor.store.getState();
      const node = step === undefined ? null : findWriter(spec, step.agent, step.node);
      changeAddress(
        { step: String(position), tape: tape.id, ...(node === null ? {} : { node }) },
        { replace: true },
      );
    },
    [outline, editor, changeAddress, tape.id],
  );
  // A link from a tape names the step only: its node is known once the outline has loaded.
  const isNodeUnknown = address.get("node") === null && row !== undefined;
  useEffect(() => {
    if (isNodeUnknown && selected !== null) showWriter(selected);
  }, [isNodeUnknown, selected, showWriter]);
  return (
    <div className={`ts-column ${classes.side}`}>
      <div className={`ts-row ${classes.wraps} ${classes.tapeHead}`}>
        <TapeSelect tape={tape} offered={chosen.offered} />
        {isGoing(tape) && tape.job !== null && <JobStateBadge state={tape.job.state} />}
        <Anchor
          component={Link}
          to={`/t/${tape.id}${selected === null ? "" : `?step=${selected}`}`}
        >
          Open the tape
        </Anchor>
        <span className={classes.grows} />
        <ForWriters>
          <RunDraft place={place} />
        </ForWriters>
      </div>
      {loading.error !== null && (
        <p className={classes.notice} role="alert">
          {describeError(loading.error)}
        </p>
      )}
      <StepList outline={outline} selected={selected} onSelect={showWriter} />
      {selected !== null && <NotesToRead position={selected} current={address.get("note")} />}
      {place === null ? (
        <p className={`ts-hint ${classes.notice}`}>
          {isGoing(tape)
            ? "Steps appear here as the run writes them."
            : "Select a step that a node wrote: its prompt by this draft appears here."}
        </p>
      ) : (
        <DraftPromptPane place={place} />
      )}
    </div>
  );
}

function readStep(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** The first step of an agent that is an error, or else its last one. */
function chooseStep(outline: Outline): number | null {
  let last: number | null = null;
  for (let at = 0; at < outline.length; at += 1) {
    const author = outline.authorAt(at);
    const row = author === undefined || author.node === "" ? undefined : outline.at(at);
    if (row === undefined || row.family === "observation") continue;
    if (row.is_error) return at;
    last = at;
  }
  return last;
}

interface TapeSelectProps {
  tape: Tape;
  offered: readonly TapeRow[];
}

function TapeSelect({ tape, offered }: TapeSelectProps) {
  const [, changeAddress] = useAddress();
  // The open tape is newer than its row in the list: its run may have ended by now.
  const all = offered.some(({ id }) => id === tape.id)
    ? offered.map((row) => (row.id === tape.id ? tape : row))
    : [tape, ...offered];
  return (
    <Select
      aria-label="Tape"
      searchable
      allowDeselect={false}
      className={classes.tapeSelect}
      data={all.map(({ id, title, outcome, created_at }) => ({
        value: id,
        label: visibleText(
          `${outcome === "" ? "" : `${OUTCOME_WORDS[outcome]}: `}${title || "Untitled"}, ${formatMoment(new Date(created_at))}`,
        ),
      }))}
      value={tape.id}
      onChange={(id) => id !== null && changeAddress({ tape: id, step: null })}
    />
  );
}
