import { useState } from "react";

import { FoldedText } from "@/ui/FoldedText";

/** A folded text that keeps its own open state. */
export function OwnFold({ text, isMono = false }: { text: string; isMono?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <FoldedText text={text} isMono={isMono} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
  );
}
