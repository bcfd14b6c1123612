/** What a model thought before its answer: folded, with the approximate number of tokens. */
import { formatTokens, guessTokens } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { useFold } from "@/ui/parts/folds";
import classes from "@/ui/parts/parts.module.css";

interface ThoughtProps {
  slot: string;
  /** Empty if the provider hides it. */
  text: string;
}

export function Thought({ slot, text }: ThoughtProps) {
  const [isOpen, onToggle] = useFold(`${slot}#thought`);
  const hint =
    text === "" ? "hidden by its provider" : `≈ ${formatTokens(guessTokens(text))} tokens`;
  return (
    <details className={classes.thought} open={isOpen}>
      <summary
        className="ts-row ts-fold ts-hint"
        onClick={(event) => {
          event.preventDefault();
          onToggle();
        }}
      >
        Reasoning, {hint}
      </summary>
      {isOpen && <div className={`ts-words ${classes.thoughtWords}`}>{visibleText(text)}</div>}
    </details>
  );
}
