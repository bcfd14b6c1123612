import { SegmentedControl } from "@mantine/core";

import type { LLMCall } from "@/api/types";
import { contentText } from "@/features/tape-editor/inspector";
import type { Answer } from "@/features/tape-editor/playground/playground";
import classes from "@/features/tape-editor/playground/playground.module.css";
import { visibleText } from "@/lib/visibleText";
import { ToolCallView } from "@/ui/parts/StepParts";
import { Thought } from "@/ui/parts/Thought";
import { WordDiff } from "@/ui/WordDiff";

interface AnswerTextProps {
  call: LLMCall;
  answer: Answer;
  isDiff: boolean;
  onDiff: (isDiff: boolean) => void;
}

/** The text of an answer as it streams; once finished, optionally as a diff with the recorded. */
export function AnswerText({ call, answer, isDiff, onDiff }: AnswerTextProps) {
  const { state, text, reasoning, tools, error, run, key } = answer;
  const recorded = contentText(call.output.content);
  return (
    <div
      className={`ts-stack ts-scroll ${classes.answer}`}
      aria-busy={state === "asking" || state === "answering"}
    >
      <div className={`ts-hint ${classes.state}`} role="status">
        {WORDS[state]}
      </div>
      {state === "done" && (
        <SegmentedControl
          aria-label="View of the answer"
          data={[
            { value: "answer", label: "Answer" },
            { value: "diff", label: "Compare with recorded" },
          ]}
          value={isDiff ? "diff" : "answer"}
          onChange={(wanted) => onDiff(wanted === "diff")}
        />
      )}
      {error !== "" && (
        <p className={classes.bad} role="alert">
          {visibleText(error)}
        </p>
      )}
      {reasoning !== "" && !isDiff && <Thought slot={`playground.${key}`} text={reasoning} />}
      {isDiff && state === "done" ? (
        <Diff words={run?.words ?? null} text={text} recorded={recorded} />
      ) : (
        text !== "" && <div className="ts-words">{visibleText(text)}</div>
      )}
      {!isDiff &&
        tools.map((tool, at) => (
          <ToolCallView key={at} slot={`playground.${key}.${at}`} call={{ id: "", ...tool }} />
        ))}
    </div>
  );
}

const WORDS: Record<Answer["state"], string> = {
  none: "No answer yet",
  asking: "Waiting for the model",
  answering: "Answers",
  done: "",
  failed: "Failed",
  stopped: "Stopped; partial answer",
};

interface DiffProps {
  words: NonNullable<Answer["run"]>["words"];
  text: string;
  recorded: string;
}

function Diff({ words, text, recorded }: DiffProps) {
  if (text === recorded) return <p className={`ts-hint ${classes.hint}`}>Same text as recorded.</p>;
  if (words !== null) return <WordDiff words={words} />;
  return (
    <>
      <h3 className={`ts-caption ${classes.label}`}>Recorded</h3>
      <div className="ts-words">{visibleText(recorded) || "no text"}</div>
      <h3 className={`ts-caption ${classes.label}`}>Now</h3>
      <div className="ts-words">{visibleText(text) || "no text"}</div>
    </>
  );
}
