/** The recorded value of a field, as a word diff against the current one. */
import { diffWordsWithSpace } from "diff";
import { useDeferredValue, useMemo } from "react";

import classes from "@/features/tape-editor/form/form.module.css";
import { prettyJson } from "@/lib/valueShapes";
import { visibleText } from "@/lib/visibleText";

interface WasValueProps {
  name: string;
  before: unknown;
  value: unknown;
}

/** The cost of a word diff is quadratic in what differs: a longer text is shown without one. */
const LONGEST = 20_000;

export function WasValue({ name, before, value }: WasValueProps) {
  const old = textOf(before);
  // During typing the diff may lag behind: a key press must not wait for it.
  const now = useDeferredValue(textOf(value));
  const words = useMemo(
    () =>
      Math.max(old.length, now.length) > LONGEST
        ? null
        : diffWordsWithSpace(old, now, { timeout: 50 }),
    [old, now],
  );
  return (
    <div
      className={`ts-words ${classes.was}`}
      role="note"
      aria-label={visibleText(`Recorded in ${name}`)}
    >
      <span className="ts-dimmed">was:</span>{" "}
      {words === null || words === undefined
        ? visibleText(old)
        : words.map(({ value: text, added, removed }, at) =>
            added ? (
              <ins key={at}>{visibleText(text)}</ins>
            ) : removed ? (
              <del key={at}>{visibleText(text)}</del>
            ) : (
              visibleText(text)
            ),
          )}
    </div>
  );
}

function textOf(value: unknown): string {
  if (value === undefined) return "not set";
  return typeof value === "string" ? value : prettyJson(value);
}
