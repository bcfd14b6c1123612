/** From a teacher to a tiny student, one button after the other; every step has its own page. */
import { Button, NumberInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { tapeCountQuery } from "@/api/tags";
import { useMakeProblems, useRunSolver } from "@/api/wordProblems";
import classes from "@/features/training/guide/guide.module.css";
import { GuideStep, type StepState } from "@/features/training/guide/GuideStep";
import * as guideOf from "@/features/training/guide/useGuide";
import type { Guide, Runs } from "@/features/training/guide/useGuide";
import { ServeButton } from "@/features/training/ServeButton";
import { countOf, formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { ErrorState, RowsSkeleton } from "@/ui/States";

const PASSED = `batch:${guideOf.TEACHER} outcome:pass`;

export function GuidePanel({ canWrite }: { canWrite: boolean }) {
  const { data: guide, problem, retry } = guideOf.useGuide();
  if (guide === undefined) {
    if (problem === null) return <RowsSkeleton label="Loading the guide" rows={7} />;
    return <ErrorState title="The guide could not be loaded" message={problem} onRetry={retry} />;
  }
  return (
    <div className={classes.guide}>
      <div className={classes.column}>
        <p className={classes.intro}>
          A teacher solves word problems, and a model of under a million weights learns from the
          tapes that passed. Everything runs on this machine, without a key. Your own agents work
          the same way.
        </p>
        <ol>
          <Steps guide={guide} canWrite={canWrite} />
        </ol>
      </div>
    </div>
  );
}

function Steps({ guide, canWrite }: { guide: Guide; canWrite: boolean }) {
  const steps = listSteps(guide);
  const next = steps.findIndex(({ isDone }) => !isDone);
  return steps.map(({ title, isDone, isGoing, text, done, todo: Todo }, at) => {
    const state: StepState = isDone ? "done" : isGoing ? "going" : at === next ? "next" : "later";
    const action =
      isDone || isGoing ? done : canWrite && state === "next" && <Todo guide={guide} />;
    return (
      <GuideStep key={title} title={title} state={state} action={action}>
        {text}
      </GuideStep>
    );
  });
}

interface Step {
  title: string;
  text: ReactNode;
  isDone: boolean;
  isGoing: boolean;
  /** The result, or the progress. */
  done: ReactNode;
  todo: (props: { guide: Guide }) => ReactNode;
}

function listSteps(guide: Guide): Step[] {
  const { teacher, teacherExam, bases, set, finetune, adapter, served, studentExam } = guide;
  const recording = [teacher, teacherExam];
  const isTraining = finetune !== null && adapter === null && finetune.finished_at === null;
  return [
    {
      title: "Make problems",
      text: "For training and, with other sentences, names and numbers, for evaluation.",
      isDone: guide.hasProblems,
      isGoing: false,
      done: <TapesLink q={`dataset:${guideOf.TRAIN}`} what="problem" />,
      todo: MakeProblems,
    },
    {
      title: "Record the teacher",
      text: "A script with a calculator, right on about 93 % of the problems. It answers both parts.",
      isDone: recording.every(({ isDone }) => isDone),
      isGoing: recording.some(({ going }) => going !== null),
      done: <RunsFacts all={recording} q={PASSED} words="right tape" />,
      todo: RecordTeacher,
    },
    {
      title: "Get a base model",
      text: "The tiny one is made here from scratch in a few minutes on two cores.",
      isDone: bases.length > 0,
      isGoing: false,
      done: <Link to="/training?tab=bases">{countOf(bases.length, "base model")}</Link>,
      todo: () => (
        <Button component={Link} to="/training?tab=bases">
          Go to base models
        </Button>
      ),
    },
    {
      title: "Make a training set",
      text: "From the teacher's tapes that passed. Look at its tokens before you train.",
      isDone: set !== null,
      isGoing: false,
      done: set !== null && (
        <Link to={`/training/sets/${set.id}`}>{countOf(set.train_count, "example")}</Link>
      ),
      todo: () => (
        <Button component={Link} to={addressOf({ new: "set", q: PASSED, name: guideOf.SET })}>
          Create the training set…
        </Button>
      ),
    },
    {
      title: "Finetune the student",
      text: "All weights of the tiny base, for two epochs: a few minutes. It keeps running when you leave the page, and resumes after a crash.",
      isDone: adapter !== null,
      isGoing: isTraining,
      done: finetune !== null && (
        <Link to={`/training/${finetune.job_id}`}>
          {isTraining ? `Step ${formatExact(finetune.step)}` : visibleText(finetune.name)}
        </Link>
      ),
      todo: () => (
        <Button
          component={Link}
          to={addressOf({
            new: "finetune",
            set: set?.id ?? "",
            name: "math-student",
            preset: "tiny-full",
          })}
        >
          Finetune…
        </Button>
      ),
    },
    {
      title: "Serve it",
      text: "It is checked against the trained weights; then any run can use it as its model.",
      isDone: served?.state === "ready",
      isGoing: served?.state === "starting",
      done: <Link to="/training?tab=served">{visibleText(served?.name ?? "")}</Link>,
      todo: () =>
        adapter !== null && (
          <ServeButton what={{ adapter_id: adapter.id }} name={adapter.name} canWrite />
        ),
    },
    {
      title: "Evaluate it",
      text: "The student solves the evaluation problems and is compared with its teacher, run by run.",
      isDone: studentExam.isDone,
      isGoing: studentExam.going !== null,
      done: studentExam.isDone ? (
        <Button
          component={Link}
          to={`/batches/compare?a=${teacherExam.batchId ?? ""}&b=${studentExam.batchId ?? ""}&by=task`}
        >
          Compare with teacher
        </Button>
      ) : (
        <RunsFacts all={[studentExam]} q={`batch:${guideOf.STUDENT_EXAM}`} words="tape" />
      ),
      todo: EvaluateStudent,
    },
  ];
}

function MakeProblems() {
  const [count, setCount] = useState<number | string>(1000);
  const make = useMakeProblems();
  const isReady = typeof count === "number" && count >= 1;
  const start = () => {
    if (!isReady) return;
    make.mutate([
      { split: "train", count, seed: 1 },
      { split: "test", count: Math.ceil(count / 3), seed: 2 },
    ]);
  };
  return (
    <>
      <NumberInput
        aria-label="Problems to learn from"
        w={88}
        min={1}
        max={1000}
        value={count}
        onChange={setCount}
      />
      <Button disabled={!isReady} loading={make.isPending} onClick={start}>
        Make the problems
      </Button>
      {make.isError && <p role="alert">{describeError(make.error)}</p>}
    </>
  );
}

function RecordTeacher() {
  const run = useRunSolver();
  const start = () =>
    run.mutate([
      { dataset: guideOf.TRAIN, batch: guideOf.TEACHER },
      { dataset: guideOf.TEST, batch: guideOf.TEACHER_EXAM },
    ]);
  return <StartRuns label="Record the teacher" run={run} onStart={start} />;
}

function EvaluateStudent({ guide }: { guide: Guide }) {
  const run = useRunSolver();
  const modelId = guide.served?.model_id ?? null;
  const start = () => {
    if (modelId === null) return;
    run.mutate([{ dataset: guideOf.TEST, batch: guideOf.STUDENT_EXAM, modelId }]);
  };
  return <StartRuns label="Evaluate the student" run={run} onStart={start} />;
}

interface StartRunsProps {
  label: string;
  run: { isPending: boolean; isError: boolean; error: unknown };
  onStart: () => void;
}

function StartRuns({ label, run, onStart }: StartRunsProps) {
  return (
    <>
      <Button loading={run.isPending} onClick={onStart}>
        {label}
      </Button>
      {run.isError && <p role="alert">{describeError(run.error)}</p>}
    </>
  );
}

/** The number of finished runs while some are running, then a link to the tapes. */
function RunsFacts({ all, q, words }: { all: readonly Runs[]; q: string; words: string }) {
  const going = all.flatMap((runs) => runs.going ?? []);
  if (going.length === 0) return <TapesLink q={q} what={words} />;
  const [done, total] = [going.map((one) => one.done_count), going.map((one) => one.tape_count)];
  return (
    <span className="ts-number">
      {formatExact(sum(done))} of {countOf(sum(total), "run")}
    </span>
  );
}

function TapesLink({ q, what }: { q: string; what: string }) {
  const count = useQuery(tapeCountQuery({ q }));
  return (
    <Link to={`/tapes?q=${encodeURIComponent(q)}`}>
      {count.data === undefined ? "Show them" : countOf(count.data, what)}
    </Link>
  );
}

/** The address of a form opened from the guide, so that the guide is still there when it closes. */
function addressOf(asked: Record<string, string>): string {
  return `/training?${new URLSearchParams({ tab: "guide", ...asked }).toString()}`;
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
