/** One model's answer as it streams, with its cost and its differences from the recorded one. */
import { ActionIcon, Button, CopyButton, Select } from "@mantine/core";
import { IconCheck, IconCopy, IconPlayerPlay, IconPlayerStop, IconX } from "@tabler/icons-react";
import { useState } from "react";

import type { LLMCall, Model } from "@/api/types";
import { AnswerText } from "@/features/tape-editor/playground/AnswerText";
import { type Answer, isUnderWay } from "@/features/tape-editor/playground/playground";
import classes from "@/features/tape-editor/playground/playground.module.css";
import { usePlayground } from "@/features/tape-editor/playground/playgroundStore";
import { UseAnswer } from "@/features/tape-editor/playground/UseAnswer";
import { useAnswerStream, useAsking } from "@/features/tape-editor/playground/useAsking";
import { dollars } from "@/lib/money";
import { optionsOf } from "@/lib/options";
import { visibleText } from "@/lib/visibleText";
import { Cost, Duration, Tokens } from "@/ui/Quantities";

interface AnswerColumnProps {
  name: string;
  answer: Answer;
  call: LLMCall;
  models: readonly Model[];
  canRemove: boolean;
  onClose: (step?: number) => void;
}

const RECORDED = "recorded";

export function AnswerColumn(props: AnswerColumnProps) {
  const { name, answer, call, models, canRemove, onClose } = props;
  const dispatch = usePlayground((playground) => playground.dispatch);
  const { ask, stop, forget } = useAsking(call);
  const [isDiff, setDiff] = useState(false);
  useAnswerStream(answer);
  const { key } = answer;
  return (
    <section className={`ts-column ${classes.column}`} aria-label={name}>
      <header className={`ts-row ${classes.columnHead}`}>
        <Select
          className={classes.model}
          aria-label={`Model of ${name.toLowerCase()}`}
          searchable
          allowDeselect={false}
          data={modelsFor(call, models)}
          value={answer.modelId ?? RECORDED}
          disabled={isUnderWay(answer)}
          onChange={(wanted) =>
            dispatch({ type: "answer.chosen", key, modelId: wanted === RECORDED ? null : wanted })
          }
        />
        {isUnderWay(answer) ? (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={14} />}
            disabled={answer.jobId === null}
            onClick={() => stop(answer)}
          >
            Stop
          </Button>
        ) : (
          <Button
            variant="default"
            leftSection={<IconPlayerPlay size={14} />}
            onClick={() => void ask(key)}
          >
            Ask
          </Button>
        )}
        {canRemove && (
          <ActionIcon
            aria-label={`Remove ${name.toLowerCase()}`}
            onClick={() => {
              forget(answer);
              dispatch({ type: "answer.removed", key });
            }}
          >
            <IconX size={14} />
          </ActionIcon>
        )}
      </header>
      <AnswerText call={call} answer={answer} isDiff={isDiff} onDiff={setDiff} />
      {answer.run !== null && <Took answer={answer} />}
      {answer.state === "done" && (
        <footer className={classes.columnFoot}>
          <CopyAnswer text={answer.text} />
          <UseAnswer call={call} answer={answer} onClose={onClose} />
        </footer>
      )}
    </section>
  );
}

function modelsFor(call: LLMCall, models: readonly Model[]) {
  const recorded = call.model_name === "" ? "not known" : visibleText(call.model_name);
  return [{ value: RECORDED, label: `As recorded (${recorded})` }, ...optionsOf(models)];
}

/** Tokens, cost and time, once it has finished. */
function Took({ answer: { run } }: { answer: Answer }) {
  if (run === null || run.output === null) return null;
  const { usage } = run;
  return (
    <dl className={classes.took}>
      <div>
        <dt>In</dt>
        <dd>
          <Tokens value={usage.input_tokens} />
          {usage.cache_read_tokens !== null && usage.cache_read_tokens > 0 && (
            <>
              {" "}
              (<Tokens value={usage.cache_read_tokens} /> cached)
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Out</dt>
        <dd>
          <Tokens value={usage.output_tokens} />
          {usage.is_estimate && " (estimate)"}
        </dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>
          <Cost value={dollars(run.cost_micro_usd)} />
        </dd>
      </div>
      <div>
        <dt>First token</dt>
        <dd>
          <Duration value={run.first_token_seconds} />
        </dd>
      </div>
      <div>
        <dt>Worked</dt>
        <dd>
          <Duration value={run.duration_seconds} />
        </dd>
      </div>
      <div>
        <dt>Finish</dt>
        <dd>{visibleText(run.finish_reason) || "–"}</dd>
      </div>
    </dl>
  );
}

function CopyAnswer({ text }: { text: string }) {
  return (
    <CopyButton value={text} timeout={1500}>
      {({ copied, copy }) => (
        <Button
          variant="subtle"
          leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          onClick={copy}
        >
          {copied ? "Copied" : "Copy"}
        </Button>
      )}
    </CopyButton>
  );
}
