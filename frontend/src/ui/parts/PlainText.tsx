/** Text of a tape that remembers whether it is unfolded. */
import { FoldedText } from "@/ui/FoldedText";
import { useFold } from "@/ui/parts/folds";

interface PlainTextProps {
  slot: string;
  text: string;
  isMono?: boolean;
  /** Between quotes, as JSON writes a text: a number and the text of one look different. */
  isQuoted?: boolean;
}

export function PlainText({ slot, text, isMono = false, isQuoted = false }: PlainTextProps) {
  const [isOpen, onToggle] = useFold(slot);
  const shown = isQuoted ? `"${text}"` : text;
  return <FoldedText text={shown} isMono={isMono} isOpen={isOpen} onToggle={onToggle} />;
}
