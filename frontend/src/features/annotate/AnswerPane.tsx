/** The rubric's questions for one item, with the buttons to submit or skip it. */
import { Alert, Button, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";

import { ApiError, describeError } from "@/api/client";
import { skipItem, submitAnswer } from "@/api/queues";
import { showFailure } from "@/api/showFailure";
import type { Assignment, Queue } from "@/api/types";
import classes from "@/features/annotate/annotate.module.css";
import { firstMissing, readValues, type Values } from "@/features/annotate/choices";
import { RubricForm, submitOnEnter } from "@/features/annotate/RubricForm";
import { scrollAllToEnd, scrollSteps } from "@/features/annotate/scrolling";
import { useKeys } from "@/lib/keys";
import { visibleText } from "@/lib/visibleText";
import { KeyHint } from "@/ui/KeyHint";

interface AnswerPaneProps {
  queue: Queue;
  assignment: Assignment;
  /** Continues with the next item. */
  onDone: () => Promise<void>;
}

export function AnswerPane({ queue, assignment, onDone }: AnswerPaneProps) {
  const { rubric } = queue;
  const [values, setValues] = useState<Values>(() => readValues(assignment.values));
  const [note, setNote] = useState(assignment.note);
  const [missing, setMissing] = useState<string | null>(null);
  const pane = useRef<HTMLElement>(null);
  const began = useRef(0);
  /** The question that had the focus last. */
  const asked = useRef(0);
  const { item_id } = assignment;
  useEffect(() => {
    began.current = performance.now();
    focusQuestion(pane.current, 0);
    // After a click into the tape, the keys still answer the question.
    const onClick = () => {
      const isReading = document.activeElement === document.body;
      const isSelecting = document.getSelection()?.isCollapsed === false;
      if (isReading && !isSelecting) focusQuestion(pane.current, asked.current);
    };
    document.addEventListener("click", onClick);
    return () => document.removeEventListener("click", onClick);
  }, []);
  const submit = useMutation({
    mutationFn: () => {
      const seconds = (performance.now() - began.current) / 1000;
      return submitAnswer(queue.id, item_id, { values: { ...values }, note, seconds });
    },
    onSuccess: onDone,
  });
  const skip = useMutation({
    mutationFn: () => skipItem(queue.id, item_id),
    onSuccess: onDone,
    onError: (error) => showFailure("It was not skipped", error),
  });
  const isBusy = submit.isPending || skip.isPending;
  const onSubmit = () => {
    if (isBusy) return;
    const empty = firstMissing(rubric.items, values);
    setMissing(empty?.key ?? null);
    if (empty === undefined) submit.mutate();
    else focusQuestion(pane.current, rubric.items.indexOf(empty));
  };
  const bindings = useMemo(
    () => [
      { keys: "Enter", label: "Submit and next", run: () => pressButton(pane.current, "submit") },
      { keys: "s", label: "Skip", run: () => pressButton(pane.current, "skip") },
      { keys: "j", label: "Next step of the tape", run: () => scrollSteps(1), isMove: true },
      { keys: "k", label: "Previous step of the tape", run: () => scrollSteps(-1), isMove: true },
      { keys: "End", label: "End of the tape", run: scrollAllToEnd, isMove: true },
    ],
    [],
  );
  useKeys("Annotate", bindings);
  const isLost = submit.error instanceof ApiError && submit.error.code === "lock_lost";
  return (
    <section className={`ts-column ${classes.pane}`} ref={pane} aria-label="Rubric">
      <div className={`ts-column ts-scroll ${classes.paneScroll}`}>
        <div className={`ts-column ${classes.about}`}>
          <h2 className={classes.rubricName}>{visibleText(queue.rubric_name)}</h2>
          {rubric.description !== "" && (
            <p className={`ts-hint ${classes.help}`} title={visibleText(rubric.description)}>
              {visibleText(rubric.description)}
            </p>
          )}
        </div>
        <RubricForm
          rubric={rubric}
          values={values}
          onChange={setValues}
          onAsk={(at) => {
            asked.current = at;
          }}
          onSubmit={onSubmit}
          problem={problemOf(missing, submit.error)}
        />
        <Textarea
          label="Note"
          classNames={{ root: classes.note ?? "" }}
          autosize
          minRows={1}
          maxRows={6}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
          onKeyDown={(event) => submitOnEnter(event, onSubmit)}
        />
        {submit.isError && (
          <Alert color="red" role="alert" title="Not saved">
            {describeError(submit.error)}
            {isLost && (
              <div className={classes.buttons}>
                <Button variant="default" onClick={() => void onDone()}>
                  Next item
                </Button>
              </div>
            )}
          </Alert>
        )}
      </div>
      <footer className={`ts-row ${classes.foot}`}>
        <Button
          data-do="submit"
          loading={submit.isPending}
          disabled={skip.isPending || isLost}
          onClick={onSubmit}
          rightSection={<KeyHint keys="Enter" />}
        >
          Submit
        </Button>
        <Button
          data-do="skip"
          variant="default"
          loading={skip.isPending}
          disabled={submit.isPending || isLost}
          onClick={() => skip.mutate()}
          rightSection={<KeyHint keys="s" />}
        >
          Skip
        </Button>
        <span className="ts-caption">
          <KeyHint keys="0" />–<KeyHint keys="9" /> choose, <KeyHint keys="Tab" /> next,{" "}
          <KeyHint keys="j" /> <KeyHint keys="k" /> <KeyHint keys="End" /> read,{" "}
          <KeyHint keys="b" /> back
        </span>
      </footer>
    </section>
  );
}

/** The problem to show at an item: a required answer is missing, or the server refused one. */
function problemOf(missing: string | null, error: unknown) {
  if (missing !== null) return { item: missing, message: "This is required." };
  if (!(error instanceof ApiError) || error.code !== "answer_invalid") return null;
  const { item } = error.details;
  return typeof item === "string" ? { item, message: describeError(error) } : null;
}

function focusQuestion(pane: Element | null, at: number): void {
  const question = pane?.querySelectorAll("ol > li")[at];
  const input =
    question?.querySelector<HTMLElement>("input:checked") ??
    question?.querySelector<HTMLElement>("input, textarea");
  input?.focus();
}

/** Keys click the buttons, and so respect their disabled state. */
function pressButton(pane: Element | null, name: string): void {
  pane?.querySelector<HTMLButtonElement>(`button[data-do="${name}"]`)?.click();
}
