/** The prompt as the draft makes it where the selected step was written; below it, what came. */
import { SegmentedControl } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";

import { draftPromptQuery, type DraftPrompt, type StepPlace } from "@/api/agentDrafts";
import { describeError } from "@/api/client";
import { callQuery } from "@/api/tapes";
import classes from "@/features/agent-editor/agentEditor.module.css";
import { useAgentEditor, useEdited } from "@/features/agent-editor/editorContext";
import { ChangeList, MessageView, searchableText } from "@/features/tape-editor/inspector";
import { countOf, guessTokens } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { RowsSkeleton } from "@/ui/States";

/** From the last key press to the prompt's request. */
const WAIT_MS = 150;

export function DraftPromptPane({ place }: { place: StepPlace }) {
  const { agent } = useAgentEditor();
  const { spec, serial } = useEdited((draft) => draft);
  const newest = useMemo(() => ({ spec, serial }), [spec, serial]);
  const [asked] = useDebouncedValue(newest, WAIT_MS);
  const { tapeId, position } = place;
  const prompt = useQuery({
    ...draftPromptQuery({ agentId: agent.id, tapeId, position, ...asked }),
    // The prompt stays while the next one is made.
    placeholderData: (before, query) =>
      query?.queryKey[3] === tapeId && query.queryKey[4] === position ? before : undefined,
  });
  const recorded = prompt.data?.recorded_call_id ?? null;
  const isBehind = prompt.isPlaceholderData || asked.serial !== serial;
  return (
    <section
      className={`ts-scroll ${classes.prompt}`}
      aria-label="Prompt by this draft"
      aria-busy={isBehind}
    >
      {prompt.isError ? (
        <p className={`ts-warn ${classes.notice}`} role="alert">
          {describeError(prompt.error)}
        </p>
      ) : prompt.data === undefined ? (
        <RowsSkeleton rows={6} label="Making the prompt" />
      ) : (
        <Prompt prompt={prompt.data} place={place} />
      )}
      {recorded !== null && <RecordedOutput tapeId={tapeId} callId={recorded} />}
    </section>
  );
}

interface PromptProps {
  prompt: DraftPrompt;
  place: StepPlace;
}

function Prompt({ prompt, place }: PromptProps) {
  const [isWhole, setWhole] = useState(false);
  const { messages, changes, recorded_call_id: recorded, has_other_tools: hasOther } = prompt;
  const changed = changes.filter(({ op }) => op !== "equal").length;
  const slot = `draft.${place.tapeId}.${place.position}`;
  return (
    <>
      <div className={`ts-row ${classes.promptHead}`}>
        <h3>Prompt of {visibleText(prompt.node_name)} by this draft</h3>
        <span className="ts-hint" role="status">
          {sentenceOf(prompt, changed)}
        </span>
        {recorded !== null && (
          <SegmentedControl
            aria-label="Messages to show"
            data={[
              { value: "changes", label: "Changes" },
              { value: "whole", label: "Whole" },
            ]}
            value={isWhole ? "whole" : "changes"}
            onChange={(shown) => setWhole(shown === "whole")}
          />
        )}
      </div>
      {hasOther && recorded !== null && (
        <p className={`ts-hint ${classes.notice}`}>The tools differ from the recorded ones.</p>
      )}
      {isWhole || recorded === null || changed === 0 ? (
        <Messages slot={slot} messages={messages} />
      ) : (
        <ChangeList slot={slot} changes={changes} messageAt={(at) => messages[at] ?? null} />
      )}
    </>
  );
}

function sentenceOf({ messages, recorded_call_id: recorded }: DraftPrompt, changed: number) {
  if (messages.length === 0) return "This node asks no model here.";
  const count = countOf(messages.length, "message");
  if (recorded === null) return `${count}; no recorded prompt to compare with`;
  return changed === 0
    ? `${count}, the same as recorded`
    : `${changed} of ${count} ${changed === 1 ? "differs" : "differ"} from the recorded`;
}

const PAGE = 50;

function Messages({ slot, messages }: { slot: string; messages: DraftPrompt["messages"] }) {
  const [shown, setShown] = useState(PAGE);
  const first = Math.max(0, messages.length - shown);
  return (
    <>
      {first > 0 && (
        <button type="button" className={classes.earlier} onClick={() => setShown(shown + PAGE)}>
          Show earlier messages ({first} above)
        </button>
      )}
      {messages.slice(first).map((message, at) => (
        <MessageView
          key={first + at}
          slot={`${slot}.${first + at}`}
          message={message}
          number={first + at + 1}
          tokens={tokensOf(message)}
        />
      ))}
    </>
  );
}

function tokensOf(message: Record<string, unknown>): number {
  return guessTokens(searchableText(message).length);
}

function RecordedOutput({ tapeId, callId }: { tapeId: string; callId: string }) {
  const call = useQuery(callQuery(tapeId, callId));
  return (
    <section aria-label="Recorded output">
      <div className={classes.promptHead}>
        <h3>Recorded output</h3>
      </div>
      {call.isPending && <RowsSkeleton rows={3} label="Loading the output" />}
      {call.isError && (
        <p className={classes.notice} role="alert">
          {describeError(call.error)}
        </p>
      )}
      {call.data !== undefined && (
        <>
          {call.data.error !== "" && (
            <p className={`ts-bad ${classes.notice}`}>{visibleText(call.data.error)}</p>
          )}
          <MessageView
            slot={`${callId}.output`}
            message={{ role: "assistant", ...call.data.output }}
            tokens={call.data.usage.output_tokens ?? tokensOf(call.data.output)}
          />
        </>
      )}
    </section>
  );
}
