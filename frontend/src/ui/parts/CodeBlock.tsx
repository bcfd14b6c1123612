/** Code with syntax colors, folded if long; the colors appear when they have loaded. */
import { useEffect, useMemo, useState } from "react";

import { formatBytes, formatExact } from "@/lib/format";
import { cutText, foldText, visibleText } from "@/lib/visibleText";
import { MoreButton } from "@/ui/MoreButton";
import { useFold } from "@/ui/parts/folds";
import type { Token } from "@/ui/parts/highlight";
import classes from "@/ui/parts/parts.module.css";

type Highlight = (text: string, language: string) => Token[];

const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 2000;
const PART = 20_000;

interface CodeBlockProps {
  slot: string;
  text: string;
  language: string | null;
  /** Unfolded until the reader folds it. */
  startsOpen?: boolean;
}

export function CodeBlock({ slot, text, language, startsOpen = false }: CodeBlockProps) {
  const [isToggled, onToggle] = useFold(slot);
  const isOpen = isToggled !== startsOpen;
  const [shown, setShown] = useState(PART);
  const folded = foldText(text, SHOWN_LINES, SHOWN_CHARACTERS);
  const visible = visibleText(isOpen ? cutText(text, shown) : folded.text);
  return (
    <div className={classes.code}>
      {language !== null && <span className={`ts-caption ${classes.language}`}>{language}</span>}
      <pre className={`ts-panel ts-words ${classes.pre}`} dir="ltr">
        <code>
          <Coloured text={visible} language={language} />
        </code>
      </pre>
      {folded.isFolded && (
        <div className={classes.foot}>
          {isOpen && shown < text.length && (
            <MoreButton onClick={() => setShown(shown + PART)}>
              Show more ({formatBytes(text.length - shown)} left)
            </MoreButton>
          )}
          <MoreButton onClick={onToggle}>
            {isOpen
              ? "Show less"
              : folded.lineCount > 1
                ? `Show all ${formatExact(folded.lineCount)} lines`
                : `Show all ${formatBytes(text.length)}`}
          </MoreButton>
        </div>
      )}
    </div>
  );
}

function Coloured({ text, language }: { text: string; language: string | null }) {
  const highlight = useHighlight(language !== null);
  const tokens = useMemo(
    () => (highlight === null || language === null ? null : highlight(text, language)),
    [highlight, text, language],
  );
  if (tokens === null) return text;
  return tokens.map(({ sort, text: word }, at) =>
    sort === "" ? (
      word
    ) : (
      <span key={at} data-sort={sort}>
        {word}
      </span>
    ),
  );
}

let loaded: Highlight | null = null;

function useHighlight(isWanted: boolean): Highlight | null {
  const [highlight, setHighlight] = useState<Highlight | null>(() => loaded);
  useEffect(() => {
    if (!isWanted || loaded !== null) return;
    let isGone = false;
    void import("@/ui/parts/highlight").then((module) => {
      loaded = module.highlight;
      if (!isGone) setHighlight(() => loaded);
    });
    return () => {
      isGone = true;
    };
  }, [isWanted]);
  return highlight ?? loaded;
}
