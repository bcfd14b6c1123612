/** How the last run ended, what it took, and how to continue. */
import { Anchor, Button, CloseButton } from "@mantine/core";
import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconInfoCircle,
  type Icon,
} from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { jobQuery, requeueJob } from "@/api/jobs";
import type { Job, RunResult } from "@/api/types";
import { useEditor } from "@/features/tape-editor/editor";
import { useRunJob } from "@/features/tape-editor/run/useLiveRun";
import { outcomeText } from "@/features/tape-editor/run/estimateText";
import { loadEstimate, type RunChoice } from "@/features/tape-editor/choice";
import classes from "@/features/tape-editor/run/run.module.css";
import {
  type Notice,
  noticeOf,
  type NoticeTone,
  raised,
} from "@/features/tape-editor/run/runNotice";
import type { RunSetup } from "@/features/tape-editor/run/useRunSetup";
import { visibleText } from "@/lib/visibleText";

interface RunNoticeProps {
  setup: RunSetup;
  onResume: (changed: Partial<RunChoice>) => void;
}

export function RunNotice({ setup, onResume }: RunNoticeProps) {
  const job = useRunJob();
  const state = useEditor(({ live }) => live.state);
  const [closed, setClosed] = useState<string | null>(null);
  // Until the job is loaded again, its state may be outdated.
  if (job === null || job.state !== state || closed === job.id) return null;
  const notice = noticeOf(job);
  if (notice === null) return null;
  return (
    <div
      className={`ts-row ${classes.outcome}`}
      data-tone={notice.tone}
      role={notice.tone === "bad" ? "alert" : "status"}
    >
      <Sign tone={notice.tone} />
      <span className={classes.sentence}>
        <strong>{visibleText(notice.title)}.</strong> {visibleText(notice.sentence)}
        <Taken job={job} />
        <CodeLines lines={job.run?.code_lines ?? []} />
      </span>
      <Actions job={job} notice={notice} setup={setup} onResume={onResume} />
      <CloseButton size={24} aria-label="Close" onClick={() => setClosed(job.id)} />
    </div>
  );
}

const SIGNS: Record<NoticeTone, Icon> = {
  good: IconCircleCheck,
  note: IconBan,
  warn: IconInfoCircle,
  bad: IconAlertTriangle,
};

function Sign({ tone }: { tone: NoticeTone }) {
  const Drawn = SIGNS[tone];
  return <Drawn size={16} stroke={1.75} aria-hidden="true" className={classes.sign} />;
}

/** What it took, next to the estimate. */
function Taken({ job }: { job: Job }) {
  const expected = loadEstimate(job.id);
  if (job.run === null || job.run.call_count + job.run.new_step_count === 0) return null;
  return (
    <span className="ts-dimmed">
      {" "}
      Took {outcomeText(job.run)}
      {expected === "" ? "." : `; expected ${expected}.`}
    </span>
  );
}

/** Where the agent's own code failed. */
function CodeLines({ lines }: { lines: RunResult["code_lines"] }) {
  if (lines.length === 0) return null;
  return (
    <ol aria-label="Lines of code" className="ts-hint">
      {lines.map(({ file, line, function: name, code }) => (
        <li key={`${file}:${line}:${name}`}>
          {visibleText(`${file}, line ${line}, in ${name}`)}
          <pre>{visibleText(code)}</pre>
        </li>
      ))}
    </ol>
  );
}

interface ActionsProps extends RunNoticeProps {
  job: Job;
  notice: Notice;
}

function Actions({ job, notice, setup, onResume }: ActionsProps) {
  const dispatch = useEditor((editor) => editor.dispatch);
  const queries = useQueryClient();
  const retry = useMutation({
    mutationFn: () => requeueJob(job.id),
    onSuccess: (answered) => {
      const { id, state } = answered;
      queries.setQueryData(jobQuery(id).queryKey, answered);
      const started = { message: "", cancelledBy: "", isStartedHere: true } as const;
      dispatch({ type: "run.watched", jobId: id, state, ...started });
    },
  });
  return (
    <span className={`ts-row ${classes.actions}`}>
      {retry.isError && <span className="ts-bad">{describeError(retry.error)}</span>}
      {notice.actions.includes("models") && (
        <Anchor component={Link} to="/models" size="sm">
          Open models
        </Anchor>
      )}
      {notice.actions.some((action) => action === "retry" || action === "goOn") && (
        <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
          {notice.actions.includes("goOn") ? "Continue" : "Retry from here"}
        </Button>
      )}
      {notice.actions.includes("raise") && (
        <Button variant="default" onClick={() => onResume(raised(setup.choice, job.run))}>
          Double the budget and continue
        </Button>
      )}
    </span>
  );
}
