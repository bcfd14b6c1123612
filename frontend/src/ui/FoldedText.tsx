/** Text of a tape: always plain text, folded if long, shown in parts if very long. */
import { useState } from "react";

import { formatBytes, formatExact } from "@/lib/format";
import { cutText, foldText, visibleText } from "@/lib/visibleText";
import classes from "@/ui/FoldedText.module.css";
import { MoreButton } from "@/ui/MoreButton";

const FOLDED_LINES = 12;
const FOLDED_CHARACTERS = 2000;
const PART = 50_000;

interface FoldedTextProps {
  text: string;
  isMono?: boolean;
  /** Stored by the owner, because a virtual list forgets what it no longer draws. */
  isOpen: boolean;
  onToggle: () => void;
}

export function FoldedText({ text, isMono = false, isOpen, onToggle }: FoldedTextProps) {
  const [shown, setShown] = useState(PART);
  const folded = foldText(text, FOLDED_LINES, FOLDED_CHARACTERS);
  const visible = isOpen ? cutText(text, shown) : folded.text;
  return (
    <div className={classes.folded}>
      <div className={`ts-words ${classes.text}`} data-mono={isMono || undefined} dir="auto">
        {visibleText(visible)}
      </div>
      {folded.isFolded && !isOpen && (
        <MoreButton onClick={onToggle}>
          {folded.lineCount > 1
            ? `Show all ${formatExact(folded.lineCount)} lines`
            : `Show all ${formatBytes(text.length)}`}
        </MoreButton>
      )}
      {folded.isFolded && isOpen && (
        <div className={classes.foot}>
          {shown < text.length && (
            <MoreButton onClick={() => setShown(shown + PART)}>
              Show more ({formatBytes(text.length - shown)} left)
            </MoreButton>
          )}
          <MoreButton onClick={onToggle}>Show less</MoreButton>
        </div>
      )}
    </div>
  );
}
