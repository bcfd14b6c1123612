/** The tape's result, where to look first, and what can be done: two rows. */
import { IconPin, IconSchoolOff } from "@tabler/icons-react";
import { useCallback, useState } from "react";

import type { Tape } from "@/api/types";
import { AutosaveChip, DraftNotices } from "@/features/tape-editor/saving";
import { useEditor, useTapeModel } from "@/features/tape-editor/editor";
import { ArchivedNotice } from "@/features/tape-editor/header/ArchivedNotice";
import { PrimaryAction } from "@/features/tape-editor/header/PrimaryAction";
import { SuspectLink } from "@/features/tape-editor/header/SuspectLink";
import { TapeAnswer } from "@/features/tape-editor/header/TapeAnswer";
import { MenuPlace, TapeMenu, type MenuView } from "@/features/tape-editor/header/TapeMenu";
import { TapeOrigin } from "@/features/tape-editor/header/TapeOrigin";
import { TapeOutcome } from "@/features/tape-editor/header/TapeOutcome";
import { TapeTags } from "@/features/tape-editor/header/TapeTags";
import { TapeTitle } from "@/features/tape-editor/header/TapeTitle";
import { TapeTotals } from "@/features/tape-editor/header/TapeTotals";
import classes from "@/features/tape-editor/header/header.module.css";
import { useSuspect } from "@/features/tape-editor/header/suspect";
import { LintSummary } from "@/features/tape-editor/lint";
import { AfterPaint } from "@/ui/AfterPaint";
import { JobStateBadge } from "@/ui/JobStateBadge";

interface TapeHeaderProps {
  step: number | null;
  onSelect: (step: number) => void;
  onLoadTheirs: () => void;
  onKeepMine: () => void;
}

export function TapeHeader({ step, onSelect, ...props }: TapeHeaderProps) {
  const { tape } = useTapeModel();
  const [view, setView] = useState<MenuView>("closed");
  const onCompare = useCallback(() => setView("compare"), []);
  const suspected = useSuspect();
  return (
    <header className={classes.header}>
      <div className={`ts-row ${classes.line}`}>
        <TapeOutcome />
        <TapeTitle />
        <Flags tape={tape} />
        <RunState />
        <AutosaveChip {...props} />
        <div className={classes.actions} role="toolbar" aria-label="This tape" data-tour="header">
          {/* Wait until it is known: a button must not change under the pointer. */}
          {suspected !== undefined && (
            <PrimaryAction suspected={suspected} onSelect={onSelect} onCompare={onCompare} />
          )}
          <AfterPaint meanwhile={<MenuPlace />}>
            <TapeMenu view={view} onView={setView} />
          </AfterPaint>
        </div>
      </div>
      <div className={`ts-row ${classes.line}`}>
        <TapeAnswer tape={tape} />
        {suspected !== null && suspected !== undefined && (
          <SuspectLink suspected={suspected} onSelect={onSelect} />
        )}
        <TapeOrigin />
        <TapeTags />
        <LintSummary step={step} onSelect={onSelect} />
        <TapeTotals />
      </div>
      <ArchivedNotice />
      <DraftNotices />
    </header>
  );
}

/** What is marked on the tape apart from its outcome. */
function Flags({ tape }: { tape: Tape }) {
  return (
    <>
      {tape.is_pinned && (
        <IconPin size={14} color="var(--ts-accent)" role="img" aria-label="Pinned" />
      )}
      {tape.is_kept_from_training && (
        <IconSchoolOff
          size={14}
          color="var(--mantine-color-dimmed)"
          role="img"
          aria-label="Excluded from training"
        />
      )}
    </>
  );
}

/** The state of the newest run, unless the outcome shows it already. */
function RunState() {
  const state = useEditor(({ live }) => live.state);
  return state === null || SHOWN_BY_OUTCOME.has(state) ? null : <JobStateBadge state={state} />;
}

const SHOWN_BY_OUTCOME: ReadonlySet<string> = new Set([
  "succeeded",
  "running",
  "waiting",
  "paused",
]);
