/** The head of an experiment: its progress, and buttons that stop or repeat it. */
import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconArrowLeft, IconList, IconVersions, IconPlayerStop } from "@tabler/icons-react";

import { ForWriters } from "@/api/ForWriters";
import { isAtWork } from "@/api/experiments";
import type { Experiment } from "@/api/types";
import { JudgeButton } from "@/features/tape-editor/run-n/JudgeButton";
import { RetryButton } from "@/features/tape-editor/run-n/RetryButton";
import classes from "@/features/tape-editor/run-n/panel.module.css";
import { useExperimentActions } from "@/features/tape-editor/run-n/useExperimentActions";
import type { RunN } from "@/features/tape-editor/run-n/useRunN";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

interface ExperimentBarProps {
  runN: RunN;
  experiment: Experiment | null;
}

export function ExperimentBar({ runN, experiment }: ExperimentBarProps) {
  return (
    <header className={`ts-row ${classes.bar}`}>
      <Tooltip label="Back to the tape (Esc)">
        <ActionIcon aria-label="Back to the tape" onClick={runN.close}>
          <IconArrowLeft size={16} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <h2 className={classes.title}>Run N</h2>
      {experiment !== null && <Progress experiment={experiment} />}
      <div className={classes.actions} role="toolbar" aria-label="This experiment">
        {experiment !== null && <Controls experiment={experiment} />}
        <Button
          variant="default"
          leftSection={<IconList size={14} />}
          aria-label="All experiments of this tape"
          onClick={runN.openList}
        >
          All
        </Button>
        <Button
          variant="default"
          leftSection={<IconVersions size={14} />}
          aria-label="New experiment"
          onClick={runN.ask}
        >
          New
        </Button>
      </div>
    </header>
  );
}

function Progress({ experiment }: { experiment: Experiment }) {
  const { branches, row } = experiment;
  const working = branches.filter(isAtWork).length;
  const done = branches.length - working;
  return (
    <span className={classes.progress} role="status">
      {working === 0
        ? countOf(branches.length, "branch", "branches")
        : `${done} of ${countOf(branches.length, "branch", "branches")} done`}
      {row.stopped_reason !== "" && (
        <span className="ts-warn">{visibleText(row.stopped_reason)}</span>
      )}
    </span>
  );
}

function Controls({ experiment }: { experiment: Experiment }) {
  const { cancel } = useExperimentActions(experiment.row.id);
  const isWorking = experiment.branches.some(
    ({ state }) => state !== "succeeded" && !OVER.has(state),
  );
  return (
    <ForWriters>
      {isWorking && (
        <Button
          variant="default"
          leftSection={<IconPlayerStop size={14} />}
          loading={cancel.isPending}
          onClick={() => cancel.mutate()}
        >
          Stop all
        </Button>
      )}
      <RetryButton experiment={experiment} />
      <JudgeButton experiment={experiment} />
    </ForWriters>
  );
}

const OVER = new Set(["failed", "cancelled", "out_of_budget"]);
