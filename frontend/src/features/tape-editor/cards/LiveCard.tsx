import classes from "@/features/tape-editor/cards/LiveCard.module.css";
import { LaneMark } from "@/features/tape-editor/lanes";
import { ToolCallView } from "@/features/tape-editor/cards/StepBody";
import { tokensPerSecond, useTick, whatIsWritten, type Writing } from "@/features/tape-editor/live";
import { visibleText } from "@/lib/visibleText";
import { Thought } from "@/ui/parts/Thought";

interface LiveCardProps {
  writing: Writing;
  /** The run ended before this became a step. */
  isCutShort: boolean;
}

/** What a model is writing right now. */
export function LiveCard({ writing, isCutShort }: LiveCardProps) {
  const now = useTick(500);
  const pace = tokensPerSecond(writing.pace, now);
  const shown = writing.made ?? writing;
  return (
    <article
      className={classes.live}
      data-cut={isCutShort || undefined}
      aria-label={nameOfCard(writing, isCutShort)}
    >
      <header className={`ts-row ${classes.head}`}>
        {!isCutShort && <span className={classes.pulse} aria-hidden="true" />}
        <span className="ts-truncate ts-mono">{nameOf(writing)}</span>
        {writing.lane !== "" && <LaneMark path={writing.lane} />}
        <span className={classes.state} data-live={!isCutShort || undefined}>
          {isCutShort
            ? "interrupted; kept, but not on the tape"
            : visibleText(whatIsWritten(writing))}
        </span>
        {!isCutShort && (
          <span className={`ts-hint ${classes.pace}`}>
            {pace !== null && <span>about {pace} tokens/s</span>}
            {writing.since !== null && <span>{secondsSince(writing.since, now)} s</span>}
          </span>
        )}
      </header>
      <div className={`ts-stack ${classes.body}`}>
        {writing.reasoning !== "" && (
          <Thought slot={`live.${writing.lane}`} text={writing.reasoning} />
        )}
        {shown.text !== "" && (
          <div className="ts-words">
            {visibleText(shown.text)}
            {!isCutShort && <span className={classes.caret} aria-hidden="true" />}
          </div>
        )}
        {shown.tools.map((tool, at) => (
          <ToolCallView key={at} slot={`live.${writing.lane}.${at}`} call={{ id: "", ...tool }} />
        ))}
      </div>
    </article>
  );
}

function nameOfCard({ lane }: Writing, isCutShort: boolean): string {
  const words = isCutShort ? "Interrupted" : "Being written";
  return lane === "" ? words : `${words} in lane ${lane}`;
}

function nameOf({ agent, node }: Writing): string {
  return visibleText([agent, node].filter((part) => part !== "").join(".")) || "Model";
}

/** How long this node run has taken, as far as this page has seen it. */
function secondsSince(since: number, now: number): number {
  return Math.max(0, Math.floor((now - since) / 1000));
}
