/** The text of a rule, parsed as the person types: a mistake, or what the rule would find. */
import { Anchor, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { ApiError, describeError } from "@/api/client";
import { ruleCheckQuery } from "@/api/lint";
import type { RuleCheck } from "@/api/types";
import classes from "@/features/lint/lint.module.css";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

const PAUSE_MS = 250;

interface RuleTextProps {
  value: string;
  onChange: (text: string) => void;
}

export function RuleText({ value, onChange }: RuleTextProps) {
  const [settled] = useDebouncedValue(value, PAUSE_MS);
  const check = useQuery({
    ...ruleCheckQuery(settled),
    enabled: settled.trim() !== "",
    placeholderData: keepPreviousData,
  });
  const isCurrent = settled === value && !check.isPlaceholderData;
  const mistake = isCurrent && check.error !== null ? readMistake(check.error) : null;
  return (
    <div className={classes.ruleText}>
      <Textarea
        label="Rule"
        autosize
        minRows={2}
        maxRows={6}
        spellCheck={false}
        classNames={{ input: classes.mono ?? "" }}
        value={value}
        aria-invalid={mistake !== null}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <div className={`ts-hint ${classes.reading}`} aria-live="polite">
        {mistake !== null && <Mistake text={value} mistake={mistake} />}
        {mistake === null && value.trim() === "" && (
          <span>Write a rule, or start from an example.</span>
        )}
        {mistake === null && value.trim() !== "" && !isCurrent && <span>Reading…</span>}
        {isCurrent && check.isSuccess && <Preview check={check.data} />}
      </div>
    </div>
  );
}

export interface RuleMistake {
  message: string;
  /** Code points before the mistake. */
  position: number | null;
  suggestion: string;
}

export function readMistake(error: Error): RuleMistake {
  const details = error instanceof ApiError ? error.details : {};
  const { position, suggestion } = details;
  return {
    message: describeError(error),
    position: typeof position === "number" ? position : null,
    suggestion: typeof suggestion === "string" ? suggestion : "",
  };
}

function Mistake({ text, mistake }: { text: string; mistake: RuleMistake }) {
  const { position, suggestion, message } = mistake;
  return (
    <div role="alert" className={`ts-column ${classes.mistake}`}>
      {position !== null && (
        <pre className={`ts-mono ${classes.caret}`}>{caretUnder(text, position)}</pre>
      )}
      <span>{visibleText(message)}</span>
      {suggestion !== "" && (
        <span>
          Did you mean <code>{visibleText(suggestion)}</code>
        </span>
      )}
    </div>
  );
}

/** The line of the text that contains the position, with a caret below it. */
export function caretUnder(text: string, position: number): string {
  const signs = Array.from(text);
  const before = signs.slice(0, position);
  const start = before.lastIndexOf("\n") + 1;
  const end = signs.indexOf("\n", position);
  const line = signs.slice(start, end === -1 ? undefined : end).join("");
  return `${visibleText(line)}\n${" ".repeat(position - start)}^`;
}

function Preview({ check }: { check: RuleCheck }) {
  if (check.looked_at === 0) return <span>There are no tapes yet to try it on.</span>;
  const of = `of the ${countOf(check.looked_at, "newest tape")}`;
  return (
    <>
      <span>
        Matches <strong>{check.match_count}</strong> {of}
      </span>
      {check.matches.length > 0 && (
        <ul className={classes.matches}>
          {check.matches.map((match) => (
            <li key={match.tape_id}>
              <Anchor component={Link} size="xs" to={`/t/${match.tape_id}?step=${match.position}`}>
                {match.title === "" ? "Untitled" : visibleText(match.title)}, step {match.position}
              </Anchor>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
