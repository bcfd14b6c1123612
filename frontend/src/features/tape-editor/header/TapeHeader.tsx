/** What the tape is and what it took, and the doors out of it. */
import { Anchor } from "@mantine/core";
import { Link } from "react-router";

import type { Tape } from "@/api/types";
import { AutosaveChip, DraftNotices } from "@/features/tape-editor/saving";
import { useEditor, useTapeModel } from "@/features/tape-editor/editor";
import { TapeFormButton } from "@/features/tape-editor/form";
import { ArchivedNotice } from "@/features/tape-editor/header/ArchivedNotice";
import { CompareMenu } from "@/features/tape-editor/header/CompareMenu";
import { DatasetsButton } from "@/features/tape-editor/header/DatasetsButton";
import { MarkButtons } from "@/features/tape-editor/header/MarkButtons";
import { ReplayButton } from "@/features/tape-editor/header/ReplayButton";
import { TapeTags } from "@/features/tape-editor/header/TapeTags";
import { TapeTitle } from "@/features/tape-editor/header/TapeTitle";
import { TrainingButton } from "@/features/tape-editor/header/TrainingButton";
import classes from "@/features/tape-editor/header/header.module.css";
import { LintSummary } from "@/features/tape-editor/lint";
import { dollars } from "@/lib/money";
import { ShareMenu } from "@/features/tape-editor/share";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { JobStateBadge } from "@/ui/JobStateBadge";
import { Cost, Tokens } from "@/ui/Quantities";

interface TapeHeaderProps {
  step: number | null;
  onSelect: (step: number) => void;
  onLoadTheirs: () => void;
  onKeepMine: () => void;
}

export function TapeHeader({ step, onSelect, ...props }: TapeHeaderProps) {
  const { tape } = useTapeModel();
  return (
    <header className={classes.header}>
      <div className={`ts-row ${classes.line}`}>
        <TapeTitle />
        <RunState />
        <AutosaveChip {...props} />
        <div className={classes.actions} role="toolbar" aria-label="This tape" data-tour="header">
          <CompareMenu />
          <TapeFormButton />
          <ReplayButton />
          <ShareMenu />
          <TrainingButton />
          <DatasetsButton />
          <MarkButtons />
        </div>
      </div>
      <div className={`ts-row ${classes.line}`}>
        <Origin tape={tape} />
        <TapeTags />
        <LintSummary step={step} onSelect={onSelect} />
        <TapeTotals />
      </div>
      <ArchivedNotice />
      <DraftNotices />
    </header>
  );
}

/** How the newest run stands; a run that ended well says nothing. */
function RunState() {
  const state = useEditor(({ live }) => live.state);
  return state === null || state === "succeeded" ? null : <JobStateBadge state={state} />;
}

function Origin({ tape }: { tape: Tape }) {
  return (
    <div className={`ts-hint ${classes.facts}`}>
      {tape.agent_name !== "" && (
        <span title="Agent that wrote this tape">
          {tape.agent_id === null ? (
            visibleText(tape.agent_name)
          ) : (
            <Anchor component={Link} to={`/agents/${tape.agent_id}`} size="xs">
              {visibleText(tape.agent_name)}
            </Anchor>
          )}
          {tape.agent_version !== null && ` v${tape.agent_version}`}
        </span>
      )}
      {tape.author !== "" && <span title="Author">by {visibleText(tape.author)}</span>}
      {tape.batch_name !== "" && <span title="Batch">{visibleText(tape.batch_name)}</span>}
      {tape.parent_id !== null && (
        <span>
          forked from{" "}
          <Anchor
            component={Link}
            to={`/t/${tape.parent_id}?step=${tape.forked_at ?? 0}`}
            size="xs"
          >
            {tape.parent_title === "" ? "its parent" : visibleText(tape.parent_title)}
          </Anchor>{" "}
          at step {tape.forked_at ?? 0}
        </span>
      )}
      {tape.parent_id !== null && (
        <span>
          <Anchor
            component={Link}
            to={`/t/${tape.parent_id}/diff/${tape.id}`}
            size="xs"
            title="Diff with parent (d)"
          >
            Diff with parent
          </Anchor>
        </span>
      )}
    </div>
  );
}

function TapeTotals() {
  const { tape, outline } = useTapeModel();
  const { totals } = tape;
  const hasCalls = totals.llm_call_count > 0;
  return (
    <div className={`ts-hint ${classes.totals}`}>
      <span>{countOf(outline.length, "step")}</span>
      {hasCalls && (
        <>
          <span>{countOf(totals.llm_call_count, "LLM call")}</span>
          <span>
            <Tokens value={totals.input_tokens} /> in
            {totals.cache_read_tokens > 0 && (
              <>
                {" "}
                (<Tokens value={totals.cache_read_tokens} /> cached)
              </>
            )}
          </span>
          <span>
            <Tokens value={totals.output_tokens} /> out
          </span>
          <span>
            <Cost value={dollars(totals.cost_micro_usd)} />
          </span>
        </>
      )}
    </div>
  );
}
