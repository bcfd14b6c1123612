/** The view stack after the step, like a call stack in a debugger: the active agent on top. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, type KeyboardEvent } from "react";

import { describeError } from "@/api/client";
import { viewsQuery } from "@/api/tapes";
import type { ViewStack } from "@/api/types";
import { type StepRow, useActions, useEditor, useTapeModel } from "@/features/tape-editor/editor";
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { EmptyState, ErrorState, RowsSkeleton } from "@/ui/States";

type View = ViewStack["views"][number];

export function ViewsTab({ row }: { row: StepRow }) {
  const { tape } = useTapeModel();
  const { origin } = row.slot;
  const stack = useQuery({ ...viewsQuery(tape.id, origin ?? 0), enabled: origin !== null });
  if (origin === null) {
    return (
      <EmptyState title="No views yet">
        Agents see an inserted step once the draft is saved or resumed.
      </EmptyState>
    );
  }
  if (stack.isPending) return <RowsSkeleton rows={4} label="Loading the views" />;
  if (stack.isError) {
    return (
      <ErrorState
        title="The views could not be loaded"
        message={describeError(stack.error)}
        onRetry={() => void stack.refetch()}
      />
    );
  }
  return <Frames stack={stack.data} />;
}

function Frames({ stack }: { stack: ViewStack }) {
  const dispatch = useEditor((editor) => editor.dispatch);
  const highlighted = useEditor((editor) => editor.highlighted);
  useEffect(() => () => dispatch({ type: "steps.highlighted", positions: [] }), [dispatch, stack]);
  if (stack.error !== "") {
    return <EmptyState title="This tape has no view stack at this step">{stack.error}</EmptyState>;
  }
  return (
    <>
      <div className={`ts-row ts-hint ${classes.bar}`}>
        <span>{countOf(stack.views.length, "view")}, the active agent on top</span>
        {highlighted.size > 0 && (
          <Button
            variant="subtle"
            onClick={() => dispatch({ type: "steps.highlighted", positions: [] })}
          >
            Clear highlight
          </Button>
        )}
      </div>
      <ol className={classes.frames}>
        {stack.views.toReversed().map((view, at) => (
          <Frame key={at} view={view} isActive={at === 0} />
        ))}
      </ol>
    </>
  );
}

function Frame({ view, isActive }: { view: View; isActive: boolean }) {
  const dispatch = useEditor((editor) => editor.dispatch);
  const isShown = useEditor(({ highlighted }) => isSame(highlighted, view.positions));
  return (
    <li className={`ts-panel ${classes.frameItem}`} data-active={isActive || undefined}>
      <button
        type="button"
        className={classes.frame}
        aria-pressed={isShown}
        title="Highlight the steps that this agent sees"
        onKeyDown={moveBetween}
        onClick={() =>
          dispatch({
            type: "steps.highlighted",
            positions: isShown ? [] : view.positions,
          })
        }
      >
        <span className={`ts-mono ${classes.agent}`}>{visibleText(view.agent)}</span>
        <span className="ts-hint">sees {countOf(view.step_count, "step")}</span>
        <span className={`ts-hint ${classes.line}`}>{lineOf(view, isActive)}</span>
      </button>
      <Jumps view={view} />
    </li>
  );
}

/** Links to the Call that opened a frame and to the last step that it sees. */
function Jumps({ view }: { view: View }) {
  const { slots } = useTapeModel();
  const { select } = useActions();
  const targets = [
    ["Called at step", view.called_at],
    ["Last seen step", view.positions.at(-1) ?? null],
  ] as const;
  return (
    <span className={classes.jumps}>
      {targets.map(([name, position]) => {
        if (position === null) return null;
        const index = slots.findIndex(({ origin }) => origin === position);
        return (
          <button
            key={name}
            type="button"
            className={classes.more}
            disabled={index < 0}
            onClick={() => select(index)}
          >
            {name} {position}
          </button>
        );
      })}
    </span>
  );
}

function lineOf({ last_node: last, next_node: next }: View, isActive: boolean): string {
  const ran = last === "" ? "no node has run" : `ran ${last}`;
  if (next === null) return visibleText(ran);
  return visibleText(`${ran}, ${isActive ? "next" : "continues at"} ${next}`);
}

/** The up and down arrow keys move through the frames like a list. */
function moveBetween(event: KeyboardEvent<HTMLButtonElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const item = event.currentTarget.closest("li");
  const next = event.key === "ArrowDown" ? item?.nextElementSibling : item?.previousElementSibling;
  const button = next?.querySelector("button") ?? null;
  if (button === null) return;
  event.preventDefault();
  button.focus();
}

function isSame(highlighted: ReadonlySet<number>, positions: readonly number[]): boolean {
  return (
    positions.length > 0 &&
    highlighted.size === positions.length &&
    highlighted.has(positions[0] ?? -1)
  );
}
