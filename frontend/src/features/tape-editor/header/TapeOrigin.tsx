/** Whose tape it is; for a fork, also what was edited in it. */
import { Anchor } from "@mantine/core";
import { useMemo } from "react";
import { Link } from "react-router";

import type { Writer } from "@/api/outline";
import type { Tape } from "@/api/types";
import { useActions, useTapeModel } from "@/features/tape-editor/editor";
import classes from "@/features/tape-editor/header/header.module.css";
import { visibleText } from "@/lib/visibleText";

export function TapeOrigin() {
  const { tape, outline } = useTapeModel();
  const writers = useMemo(() => outline.writers(), [outline]);
  return (
    <div className={`ts-hint ${classes.facts}`}>
      {tape.parent_id !== null && <ForkWords tape={tape} parentId={tape.parent_id} />}
      {tape.task !== "" && tape.task !== tape.title && (
        <span className={classes.task} title={`Task: ${visibleText(tape.task)}`}>
          task {visibleText(tape.task)}
        </span>
      )}
      {writers.length > 1 ? (
        <Writers writers={writers} />
      ) : (
        tape.agent_name !== "" && <AgentName tape={tape} />
      )}
      {tape.author !== "" && (
        <span className={classes.author} title="Author">
          by {visibleText(tape.author)}
        </span>
      )}
      {tape.batch_name !== "" && (
        <span className={classes.batch} title="Batch">
          {visibleText(tape.batch_name)}
        </span>
      )}
    </div>
  );
}

/** More than one agent wrote it: each with the step at which it starts. */
function Writers({ writers }: { writers: readonly Writer[] }) {
  const actions = useActions();
  return (
    <span title="Agents that wrote this tape">
      {writers.slice(0, MOST_WRITERS).map(({ agent, from }, at) => (
        <span key={from}>
          {at > 0 && ", then "}
          {visibleText(agent)}{" "}
          <Anchor component="button" type="button" size="xs" onClick={() => actions.select(from)}>
            from #{from}
          </Anchor>
        </span>
      ))}
      {writers.length > MOST_WRITERS && ` and ${writers.length - MOST_WRITERS} more changes`}
    </span>
  );
}

const MOST_WRITERS = 3;

function AgentName({ tape }: { tape: Tape }) {
  return (
    <span title="Agent that wrote this tape">
      {tape.agent_id === null ? (
        visibleText(tape.agent_name)
      ) : (
        <Anchor component={Link} to={`/agents/${tape.agent_id}`} size="xs">
          {visibleText(tape.agent_name)}
        </Anchor>
      )}
      {tape.agent_version !== null && ` v${tape.agent_version}`}
    </span>
  );
}

/** The first edit, linked to the diff with the parent. */
function ForkWords({ tape, parentId }: { tape: Tape; parentId: string }) {
  const fork = tape.forked_at ?? 0;
  const parent = tape.parent_title === "" ? "its parent" : `“${visibleText(tape.parent_title)}”`;
  return (
    <span className={classes.fork}>
      <Anchor
        component={Link}
        to={`/t/${parentId}/diff/${tape.id}`}
        size="xs"
        data-tour="fork"
        title={`Forked from ${parent} at step ${fork}. Diff with parent (d)`}
      >
        <span className="ts-visually-hidden">Diff with parent: </span>
        {tape.edit_words === "" ? `forked at #${fork}` : visibleText(tape.edit_words)}
      </Anchor>
    </span>
  );
}
