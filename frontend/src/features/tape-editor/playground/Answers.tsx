/** Answers to the prompt, side by side: one column for each model. */
import { Anchor, Button } from "@mantine/core";
import { IconPlayerPlay, IconPlus } from "@tabler/icons-react";
import { useCallbackRef } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link } from "react-router";

import { modelsQuery } from "@/api/models";
import type { LLMCall } from "@/api/types";
import { useTapeModel } from "@/features/tape-editor/editor";
import { AnswerColumn } from "@/features/tape-editor/playground/AnswerColumn";
import { isUnderWay, MOST_ANSWERS } from "@/features/tape-editor/playground/playground";
import classes from "@/features/tape-editor/playground/playground.module.css";
import { usePlayground } from "@/features/tape-editor/playground/playgroundStore";
import { useAsking } from "@/features/tape-editor/playground/useAsking";
import { useKeys } from "@/lib/keys";
import { FactList } from "@/ui/FactList";
import { FoldedText } from "@/ui/FoldedText";
import { KeyHint } from "@/ui/KeyHint";

interface AnswersProps {
  call: LLMCall;
  onClose: (step?: number) => void;
}

export function Answers({ call, onClose }: AnswersProps) {
  const answers = usePlayground((playground) => playground.answers);
  const dispatch = usePlayground((playground) => playground.dispatch);
  const models = useQuery(modelsQuery());
  const { ask } = useAsking(call);
  const { expected } = useTapeModel().tape;
  const onAskAll = useCallbackRef(() => {
    for (const { key } of answers) void ask(key);
  });
  // Wherever the focus is: in a message, in the parameters, or on the dialog itself.
  const keys = useMemo(
    () => [{ keys: "mod+Enter", label: "Ask all models", run: onAskAll, whileTyping: true }],
    [onAskAll],
  );
  useKeys("Playground", keys, { isInFront: true });
  return (
    <section className={`ts-column ${classes.answers}`} aria-label="Answers">
      <div className={`ts-row ${classes.answersHead}`}>
        <Button
          leftSection={<IconPlayerPlay size={14} />}
          rightSection={<KeyHint keys="mod+Enter" />}
          disabled={answers.every(isUnderWay)}
          onClick={onAskAll}
        >
          {answers.length > 1 ? "Ask all" : "Ask"}
        </Button>
        <Button
          variant="default"
          leftSection={<IconPlus size={14} />}
          disabled={answers.length >= MOST_ANSWERS}
          onClick={() => dispatch({ type: "answer.added" })}
        >
          Add model
        </Button>
        <span className={`ts-hint ${classes.hint}`}>
          Answers here are not saved.
          {models.data?.length === 0 && (
            <>
              {" "}
              <Anchor component={Link} to="/models" size="sm">
                Add a model
              </Anchor>{" "}
              to try others.
            </>
          )}
        </span>
      </div>
      {expected !== "" && <Expected text={expected} />}
      <div className={classes.columns}>
        {answers.map((answer, at) => (
          <AnswerColumn
            key={answer.key}
            name={`Answer ${at + 1}`}
            answer={answer}
            call={call}
            models={models.data ?? []}
            canRemove={answers.length > 1}
            onClose={onClose}
          />
        ))}
      </div>
    </section>
  );
}

/** What the tape's task expects, to compare the answers with. */
function Expected({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const shown = (
    <FoldedText key="text" text={text} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
  );
  return <FactList facts={[["Expected", shown]]} />;
}
