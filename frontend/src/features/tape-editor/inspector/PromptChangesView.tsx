/** A prompt compared with the same agent's previous one: what changed in messages sent before. */
import { useQuery } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import type { LLMCall, MessageChange } from "@/api/types";
import { changesQuery } from "@/features/tape-editor/inspector/api";
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { contentText, MessageView } from "@/features/tape-editor/inspector/MessageView";
import { messageAt } from "@/features/tape-editor/inspector/messageAt";
import { useTapeModel } from "@/features/tape-editor/editor";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { ErrorState, RowsSkeleton } from "@/ui/States";
import { WordDiff } from "@/ui/WordDiff";

export function PromptChangesView({ call }: { call: LLMCall }) {
  const { tape } = useTapeModel();
  const changes = useQuery(changesQuery(tape.id, call.id));
  if (changes.isPending) return <RowsSkeleton rows={6} label="Comparing the prompts" />;
  if (changes.isError) {
    return (
      <ErrorState
        title="The prompts could not be compared"
        message={describeError(changes.error)}
        onRetry={() => void changes.refetch()}
      />
    );
  }
  return (
    <>
      {changes.data.has_other_tools && (
        <p className={classes.notice}>The tools differ from the previous call.</p>
      )}
      {changes.data.changes.map((change, at) => (
        <ChangeView key={at} call={call} change={change} />
      ))}
    </>
  );
}

function ChangeView({ call, change }: { call: LLMCall; change: MessageChange }) {
  const { op, count, before, after, old, words } = change;
  if (op === "equal") return <p className={classes.same}>═ {countOf(count, "same message")}</p>;
  const now = after === null ? null : messageAt(call, after);
  const slot = `${call.id}.change.${op}.${before ?? after ?? 0}`;
  return (
    <section className={classes.change} data-op={op} aria-label={`${WORDS[op]} message`}>
      <span className={`ts-caption ${classes.chip}`}>{WORDS[op]}</span>
      {op === "changed" && words !== null ? (
        <div className={classes.message}>
          <div className={`ts-caption ${classes.messageHead}`}>
            <span className={classes.role}>{visibleText(String(old?.role))}</span>
            <span className={classes.messageNumber}>{(after ?? 0) + 1}</span>
          </div>
          <WordDiff words={words} />
        </div>
      ) : (
        <>
          {old !== null && (
            <div className={classes.was}>
              <MessageView slot={`${slot}.old`} message={old} number={(before ?? 0) + 1} />
            </div>
          )}
          {now !== null && (
            <MessageView slot={`${slot}.new`} message={now} number={(after ?? 0) + 1} />
          )}
          {after !== null && now === null && (
            <p className={classes.same}>Message {after + 1}, above the loaded messages</p>
          )}
        </>
      )}
      {op === "changed" && words !== null && sameText(old, now) && (
        <p className={classes.same}>The text is the same; other fields differ.</p>
      )}
    </section>
  );
}

const WORDS: Record<Exclude<MessageChange["op"], "equal">, string> = {
  changed: "Changed",
  removed: "Removed",
  inserted: "New",
};

function sameText(old: Record<string, unknown> | null, now: Record<string, unknown> | null) {
  return now !== null && contentText(old?.content) === contentText(now.content);
}
