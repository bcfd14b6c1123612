/** What a model would learn from this call: it reads everything, but learns only the answer. */
import { IconSchoolOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { describeError } from "@/api/client";
import type { LLMCall } from "@/api/types";
import { trainingTextQuery } from "@/features/tape-editor/inspector/api";
import { CallOf } from "@/features/tape-editor/inspector/CallOf";
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { type StepRow, useTapeModel } from "@/features/tape-editor/editor";
import { formatBytes, formatTokens, guessTokens } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { EmptyState, ErrorState, RowsSkeleton } from "@/ui/States";

export function TrainingTab({ row }: { row: StepRow }) {
  return <CallOf row={row}>{(call) => <TrainingText call={call} />}</CallOf>;
}

function TrainingText({ call }: { call: LLMCall }) {
  const { tape } = useTapeModel();
  const text = useQuery(trainingTextQuery(tape.id, call.id));
  if (text.isPending) return <RowsSkeleton rows={6} label="Building the training text" />;
  if (text.isError) {
    return (
      <ErrorState
        title="The training text could not be built"
        message={describeError(text.error)}
        onRetry={() => void text.refetch()}
      />
    );
  }
  const { prompt_text: prompt, output_text: answer, reason } = text.data;
  if (reason !== "") {
    return (
      <EmptyState
        title="This call cannot be used for training"
        icon={<IconSchoolOff size={24} stroke={1.5} />}
      >
        {visibleText(reason)}
      </EmptyState>
    );
  }
  return (
    <>
      <div className={`ts-row ts-hint ${classes.bar}`}>
        <span>
          Trained on: ≈ {formatTokens(guessTokens(answer.length))} of ≈{" "}
          {formatTokens(guessTokens(prompt.length + answer.length))} tokens
        </span>
        <span title="Without a model's chat template; each model formats roles differently">
          plain template
        </span>
      </div>
      <Text key={call.id} prompt={prompt} answer={answer} />
    </>
  );
}

const LAST = 4000;

function Text({ prompt, answer }: { prompt: string; answer: string }) {
  const [isWhole, setWhole] = useState(false);
  const hidden = isWhole ? 0 : Math.max(0, prompt.length - LAST);
  return (
    <div className={classes.training}>
      {hidden > 0 && (
        <button type="button" className={classes.more} onClick={() => setWhole(true)}>
          Show {formatBytes(hidden)} before
        </button>
      )}
      <pre className="ts-words" dir="auto">
        <span className="ts-dimmed">{visibleText(prompt.slice(hidden))}</span>
        <mark className={classes.learnt} title="Trained on">
          {visibleText(answer)}
        </mark>
      </pre>
    </div>
  );
}
