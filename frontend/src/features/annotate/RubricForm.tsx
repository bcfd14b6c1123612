/** The questions of a rubric: each is one Tab stop; a digit answers and moves on. */
import { Textarea } from "@mantine/core";
import { useId, type KeyboardEvent } from "react";

import type { AnswerValue, Rubric, RubricItem } from "@/api/types";
import classes from "@/features/annotate/annotate.module.css";
import { choicesOf, withValue, type Choice, type Values } from "@/features/annotate/choices";
import { visibleText } from "@/lib/visibleText";

interface RubricFormProps {
  rubric: Rubric;
  values: Values;
  onChange: (values: Values) => void;
  /** The key of the refused item, and the reason. */
  problem?: { item: string; message: string } | null;
  onSubmit?: () => void;
  /** Called when a question receives the focus. */
  onAsk?: (at: number) => void;
}

export function RubricForm(props: RubricFormProps) {
  const { rubric, values, onChange, problem, onSubmit, onAsk } = props;
  return (
    <ol className={`ts-column ${classes.questions}`}>
      {rubric.items.map((item, at) => (
        <li key={`${item.key} ${at}`} onFocus={() => onAsk?.(at)}>
          <Question
            item={item}
            value={values[item.key]}
            problem={problem?.item === item.key ? problem.message : null}
            onChoose={(value) => onChange(withValue(values, item, value))}
            onSubmit={onSubmit}
          />
        </li>
      ))}
    </ol>
  );
}

interface QuestionProps {
  item: RubricItem;
  value: AnswerValue | undefined;
  problem: string | null;
  onChoose: (value: AnswerValue) => void;
  onSubmit: (() => void) | undefined;
}

function Question({ item, value, problem, onChoose, onSubmit }: QuestionProps) {
  const id = useId();
  const choices = choicesOf(item);
  const onDigit = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const chosen = choices.find(({ digit }) => digit === event.key);
    if (chosen === undefined) return;
    event.preventDefault();
    onChoose(chosen.value);
    focusChoice(event.currentTarget, choices.indexOf(chosen));
    focusNextQuestion(event.currentTarget);
  };
  return (
    <div
      className={classes.question}
      data-kind={item.kind}
      data-bad={problem !== null || undefined}
    >
      <div className={classes.ask} id={`${id}-ask`}>
        {visibleText(item.question) || "Question"}
        {!item.is_required && <span className={`ts-hint ${classes.optional}`}> optional</span>}
      </div>
      {item.help !== "" && (
        <p className={`ts-hint ${classes.help}`} id={`${id}-help`}>
          {visibleText(item.help)}
        </p>
      )}
      {item.kind === "text" ? (
        <Textarea
          className={classes.text ?? ""}
          aria-labelledby={`${id}-ask`}
          autosize
          minRows={2}
          maxRows={8}
          value={typeof value === "string" ? value : ""}
          onChange={({ currentTarget }) => onChoose(currentTarget.value)}
          onKeyDown={(event) => submitOnEnter(event, onSubmit)}
        />
      ) : (
        <div
          role="radiogroup"
          tabIndex={-1}
          aria-labelledby={`${id}-ask`}
          aria-describedby={item.help === "" ? undefined : `${id}-help`}
          aria-required={item.is_required}
          className={classes.choices}
          onKeyDown={onDigit}
        >
          {choices.map((choice) => (
            <ChoiceBox
              key={String(choice.value)}
              name={id}
              choice={choice}
              isChosen={value === choice.value}
              onChoose={() => onChoose(choice.value)}
            />
          ))}
        </div>
      )}
      {problem !== null && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

interface ChoiceBoxProps {
  name: string;
  choice: Choice;
  isChosen: boolean;
  onChoose: () => void;
}

function ChoiceBox({ name, choice, isChosen, onChoose }: ChoiceBoxProps) {
  return (
    <label className={`ts-inline ${classes.choice}`} data-chosen={isChosen || undefined}>
      <input
        type="radio"
        className="ts-visually-hidden"
        name={name}
        checked={isChosen}
        onChange={onChoose}
      />
      {choice.digit !== null && choice.digit !== choice.word && (
        <kbd className={`ts-caption ${classes.digit}`} aria-hidden="true">
          {choice.digit}
        </kbd>
      )}
      {visibleText(choice.word) || "…"}
    </label>
  );
}

function focusChoice(group: Element, at: number): void {
  const input = group.querySelectorAll("input")[at];
  input?.focus();
}

/** A digit answers and moves on; on the last question the focus stays on the chosen option. */
function focusNextQuestion(group: Element): void {
  const next = group.closest("li")?.nextElementSibling;
  const chosen = next?.querySelector<HTMLElement>("input:checked");
  (chosen ?? next?.querySelector<HTMLElement>("input, textarea"))?.focus();
}

/** Enter submits, as everywhere on this page; a new line needs Shift. */
export function submitOnEnter(event: KeyboardEvent, onSubmit: (() => void) | undefined): void {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
  if (onSubmit === undefined) return;
  event.preventDefault();
  onSubmit();
}
