/** Text of a person or a model: rendered if it is Markdown, folded if it is long. */
import { lazy, Suspense, useState } from "react";

import { formatBytes, formatExact } from "@/lib/format";
import { cutText, foldText, visibleText } from "@/lib/visibleText";
import { FoldedText } from "@/ui/FoldedText";
import { MoreButton } from "@/ui/MoreButton";
import { useFold, useTextLook } from "@/ui/parts/folds";
import classes from "@/ui/parts/parts.module.css";

const Markdown = lazy(async () => ({ default: (await import("@/ui/parts/Markdown")).Markdown }));

const MARKS =
  /(^|\n) {0,3}(#{1,6} |[-*+] |\d{1,9}[.)] |>|```|~~~|\|)|\*\*|__|`|\]\(|\bhttps?:\/\/|\bwww\./;
const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 2000;
/** Laying out more than this at once would be noticeable. */
const MOST_RENDERED = 20_000;

interface ProseProps {
  slot: string;
  text: string;
}

export function Prose({ slot, text }: ProseProps) {
  const [isOpen, onToggle] = useFold(slot);
  const { isRendered } = useTextLook();
  if (!isRendered || !MARKS.test(text.slice(0, MOST_RENDERED))) {
    return <FoldedText text={text} isOpen={isOpen} onToggle={onToggle} />;
  }
  return <FoldedMarkdown text={text} isOpen={isOpen} onToggle={onToggle} />;
}

interface FoldedMarkdownProps {
  text: string;
  isOpen: boolean;
  onToggle: () => void;
}

function FoldedMarkdown({ text, isOpen, onToggle }: FoldedMarkdownProps) {
  const [shown, setShown] = useState(MOST_RENDERED);
  const folded = foldText(text, SHOWN_LINES, SHOWN_CHARACTERS);
  const visible = isOpen ? cutText(text, shown) : folded.text;
  const plain = <div className="ts-words">{visibleText(visible)}</div>;
  return (
    <div className={classes.prose}>
      <Suspense fallback={plain}>
        <Markdown text={visible} />
      </Suspense>
      {folded.isFolded && (
        <div className={classes.foot}>
          {isOpen && shown < text.length && (
            <MoreButton onClick={() => setShown(shown + MOST_RENDERED)}>
              Show more ({formatBytes(text.length - shown)} left)
            </MoreButton>
          )}
          <MoreButton onClick={onToggle}>
            {isOpen ? "Show less" : `Show all ${sizeOf(text, folded.lineCount)}`}
          </MoreButton>
        </div>
      )}
    </div>
  );
}

function sizeOf(text: string, lineCount: number): string {
  return lineCount > 1 ? `${formatExact(lineCount)} lines` : formatBytes(text.length);
}
