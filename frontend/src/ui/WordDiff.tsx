/** Two texts merged into one: what was removed and added, word by word. */
import { visibleText } from "@/lib/visibleText";
import { WordMark } from "@/ui/WordMark";

interface WordDiffProps {
  words: readonly { op: "equal" | "insert" | "delete"; text: string }[];
}

export function WordDiff({ words }: WordDiffProps) {
  return (
    <p className="ts-words">
      {words.map(({ op, text }, at) => {
        if (op === "equal") return visibleText(text);
        return <WordMark key={at} op={op} text={text} />;
      })}
    </p>
  );
}
