/** Answers to the prompt, side by side: one column for each model. */
import { Anchor, Button } from "@mantine/core";
import { IconPlayerPlay, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { KeyboardEvent } from "react";
import { Link } from "react-router";

import { modelsQuery } from "@/api/models";
import type { LLMCall } from "@/api/types";
import { AnswerColumn } from "@/features/tape-editor/playground/AnswerColumn";
import { isUnderWay, MOST_ANSWERS } from "@/features/tape-editor/playground/playground";
import classes from "@/features/tape-editor/playground/playground.module.css";
import { usePlayground } from "@/features/tape-editor/playground/playgroundStore";
import { useAsking } from "@/features/tape-editor/playground/useAsking";
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
  const onAskAll = () => {
    for (const { key } of answers) void ask(key);
  };
  return (
    // The fields inside take the focus; the key is for all of them, and a button does the same.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className={`ts-column ${classes.answers}`}
      aria-label="Answers"
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) onAskAll();
      }}
    >
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
