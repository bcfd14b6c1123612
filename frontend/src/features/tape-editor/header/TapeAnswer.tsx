/** The tape's answer next to the expected one, the difference marked, and its score. */
import type { ReactNode } from "react";

import type { Tape } from "@/api/types";
import classes from "@/features/tape-editor/header/header.module.css";
import { formatScore } from "@/lib/format";
import { clipEnd, clipStart, differenceOf } from "@/lib/textDifference";
import { cutText, visibleText } from "@/lib/visibleText";

type Answered = Pick<Tape, "expected" | "actual" | "outcome" | "score">;

export function TapeAnswer({ tape }: { tape: Answered }) {
  const { expected, actual, score } = tape;
  if (expected === "" && actual === "" && score === null) return null;
  return (
    <div className={classes.answer}>
      <Answers tape={tape} />
      {score !== null && (
        <span>
          Score <b className="ts-number">{formatScore(score)}</b>
        </span>
      )}
    </div>
  );
}

function Answers({ tape: { expected, actual, outcome } }: { tape: Answered }) {
  if (expected === "") return actual === "" ? null : <Side word="Answer" text={actual} />;
  if (actual === "") {
    return (
      <>
        <Side word="Expected" text={expected} />
        <span>no answer</span>
      </>
    );
  }
  if (expected === actual) return <Side word="As expected" text={actual} />;
  const { start, one, other, end } = differenceOf(cut(expected), cut(actual));
  const isMarked = outcome !== "pass";
  const side = (middle: ReactNode) => (
    <>
      {visibleText(clipStart(start, MOST_BESIDE))}
      {middle}
      {visibleText(clipEnd(end, MOST_BESIDE))}
    </>
  );
  const wanted = visibleText(clipEnd(one, MOST_APART));
  const got = visibleText(clipEnd(other, MOST_APART));
  return (
    <>
      <Side word="Expected" text={expected}>
        {side(isMarked && one !== "" ? <ins>{wanted}</ins> : wanted)}
      </Side>
      <Side word="Got" text={actual}>
        {side(isMarked && other !== "" ? <del>{got}</del> : got)}
      </Side>
    </>
  );
}

const MOST_BESIDE = 24;
const MOST_APART = 60;
/** Answers may be pages long; differences beyond this length are only in the tape itself. */
const MOST_COMPARED = 2_000;
const cut = (text: string) => cutText(text, MOST_COMPARED);

interface SideProps {
  word: string;
  text: string;
  /** The text as shown; if omitted, its beginning. */
  children?: ReactNode;
}

function Side({ word, text, children }: SideProps) {
  return (
    <span className={`ts-truncate ${classes.side}`} title={visibleText(cut(text))}>
      {word} <b className="ts-mono">{children ?? visibleText(clipEnd(text, MOST_APART))}</b>
    </span>
  );
}
