/** What a model thought before its answer: folded, with about how many tokens it took. */
import { formatTokens, guessTokens } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { useFold } from "@/ui/parts/folds";
import classes from "@/ui/parts/parts.module.css";

interface ThoughtProps {
  slot: string;
  /** Empty where its provider keeps it to itself. */
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
