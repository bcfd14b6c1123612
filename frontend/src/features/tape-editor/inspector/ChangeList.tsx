/** A prompt compared with another: message by message, and word by word where a text changed. */
import type { MessageChange } from "@/api/types";
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { contentText, MessageView } from "@/features/tape-editor/inspector/MessageView";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { WordDiff } from "@/ui/WordDiff";

type Message = Record<string, unknown>;

interface ChangeListProps {
  /** Identifies the prompt, to remember what is folded. */
  slot: string;
  changes: readonly MessageChange[];
  /** A message of the newer prompt; `null` if it is not loaded. */
  messageAt: (number: number) => Message | null;
}

export function ChangeList({ slot, changes, messageAt }: ChangeListProps) {
  return changes.map((change, at) => (
    <ChangeView key={at} slot={slot} change={change} messageAt={messageAt} />
  ));
}

interface ChangeViewProps extends Pick<ChangeListProps, "slot" | "messageAt"> {
  change: MessageChange;
}

function ChangeView({ slot: prompt, change, messageAt }: ChangeViewProps) {
  const { op, count, before, after, old, words } = change;
  if (op === "equal") return <p className={classes.same}>═ {countOf(count, "same message")}</p>;
  const now = after === null ? null : messageAt(after);
  const slot = `${prompt}.change.${op}.${before ?? after ?? 0}`;
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

function sameText(old: Message | null, now: Message | null) {
  return now !== null && contentText(old?.content) === contentText(now.content);
}
