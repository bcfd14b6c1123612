/** One row: start the agent from here, with which version, model and options. */
import { Anchor, NumberInput } from "@mantine/core";
import { useMemo } from "react";
import { Link } from "react-router";

import type { Autosave } from "@/features/tape-editor/saving";
import { AgentFields } from "@/features/tape-editor/run/AgentFields";
import { DraftButtons } from "@/features/tape-editor/run/DraftButtons";
import { EstimateLine } from "@/features/tape-editor/run/EstimateLine";
import { FitNotice } from "@/features/tape-editor/run/FitNotice";
import { ModelField, ModelNotice } from "@/features/tape-editor/run/ModelField";
import { OptionsButton } from "@/features/tape-editor/run/OptionsButton";
import { ResumeButton } from "@/features/tape-editor/run/ResumeButton";
import { readParameters, unansweredMocks } from "@/features/tape-editor/choice";
import classes from "@/features/tape-editor/run/run.module.css";
import { RunNotice } from "@/features/tape-editor/run/RunNotice";
import { UnreadMessages } from "@/features/tape-editor/run/UnreadMessages";
import { useResume } from "@/features/tape-editor/run/useResume";
import { type RunSetup, useRunSetup } from "@/features/tape-editor/run/useRunSetup";
import { useEditor, useTapeModel } from "@/features/tape-editor/editor";
import { useKeys } from "@/lib/keys";
import { numberOf } from "@/lib/typed";
import { EffortSelect } from "@/ui/EffortSelect";

export function ResumeControls({ autosave }: { autosave: Autosave }) {
  const { isRunning } = useTapeModel();
  const setup = useRunSetup();
  const resume = useResume(autosave, setup);
  // What is being typed changes the tape, and the server has not seen it yet: Resume saves it.
  const isTyping = useEditor(({ typing }) => typing !== null);
  const fit = isTyping ? null : setup.fit;
  const isOver = fit?.is_finished === true;
  const canResume = isReady({ ...setup, fit }) && !isOver && !resume.isPending;
  const { mutate } = resume;
  const bindings = useMemo(
    () => [
      {
        keys: "mod+Enter",
        label: "Resume",
        whileTyping: true,
        run: () => {
          if (canResume) mutate({});
        },
      },
    ],
    [canResume, mutate],
  );
  useKeys("Tape", bindings);

  return (
    <>
      {!isRunning && <RunNotice setup={setup} onResume={mutate} />}
      {!isRunning && <UnreadMessages />}
      <FitNotice setup={setup} />
      <ModelNotice setup={setup} />
      <div className={`ts-row ${classes.bar}`}>
        <ResumeButton
          setup={setup}
          canResume={canResume}
          isPending={resume.isPending}
          onResume={mutate}
        />
        {setup.hasNoAgents ? <NoAgent /> : <ChoiceFields setup={setup} />}
        <EstimateLine estimate={isOver ? null : setup.estimate} />
        {setup.hasDraft && <DraftButtons autosave={autosave} />}
      </div>
    </>
  );
}

function isReady({ versionId, fit, choice, needsModel }: RunSetup): boolean {
  if (versionId === null || fit?.can_continue === false) return false;
  if (needsModel && choice.modelId === null) return false;
  return readParameters(choice).problem === "" && unansweredMocks(choice).length === 0;
}

function NoAgent() {
  return (
    <span className="ts-dimmed">
      There are no agents yet.{" "}
      <Anchor component={Link} to="/agents" size="sm">
        Add one
      </Anchor>
    </span>
  );
}

function ChoiceFields({ setup }: { setup: RunSetup }) {
  const { choice, change } = setup;
  return (
    <>
      <AgentFields setup={setup} />
      <NumberInput
        className={classes.count}
        aria-label="How many runs (N)"
        title="How many runs; more than one opens Run N"
        prefix="× "
        hideControls
        min={1}
        max={100}
        allowDecimal={false}
        value={choice.count}
        onChange={(value) => change({ count: numberOf(value) ?? 1 })}
      />
      <ModelField setup={setup} />
      <NumberInput
        className={classes.temperature}
        aria-label="Temperature"
        placeholder="Temp."
        title="Temperature; empty: agent default"
        hideControls
        min={0}
        max={2}
        step={0.1}
        decimalScale={2}
        value={choice.temperature ?? ""}
        onChange={(value) => change({ temperature: numberOf(value) })}
      />
      <EffortSelect
        className={classes.effort}
        placeholder="Effort"
        value={choice.reasoningEffort}
        onChange={(reasoningEffort) => change({ reasoningEffort })}
      />
      <OptionsButton setup={setup} />
    </>
  );
}
