/** Text of a tape that remembers whether it is unfolded; accessibility trees are drawn as such. */
import { useMemo } from "react";

import { isAccessibilityTree } from "@/lib/accessibilityTree";
import { FoldedText } from "@/ui/FoldedText";
import { AccessibilityTree } from "@/ui/parts/AccessibilityTree";
import { useFold, useTextLook } from "@/ui/parts/folds";

interface PlainTextProps {
  slot: string;
  text: string;
  isMono?: boolean;
  /** In quotation marks, as in JSON, so that a number and a text of digits look different. */
  isQuoted?: boolean;
}

export function PlainText({ slot, text, isMono = false, isQuoted = false }: PlainTextProps) {
  const [isOpen, onToggle] = useFold(slot);
  const { isRendered } = useTextLook();
  const isTree = useMemo(() => isRendered && isAccessibilityTree(text), [isRendered, text]);
  if (isTree) return <AccessibilityTree slot={slot} text={text} />;
  const shown = isQuoted ? `"${text}"` : text;
  return <FoldedText text={shown} isMono={isMono} isOpen={isOpen} onToggle={onToggle} />;
}
