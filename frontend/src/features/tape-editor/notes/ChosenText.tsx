/** The selected piece of text: the next note is about it, not about the complete step. */
import { ActionIcon } from "@mantine/core";
import { IconX } from "@tabler/icons-react";

import type { Annotation } from "@/api/types";
import type { Anchor } from "@/features/tape-editor/notes/anchors";
import classes from "@/features/tape-editor/notes/notes.module.css";
import { cutText, visibleText } from "@/lib/visibleText";

const QUOTE = 160;
const SENT_QUOTE = 2000;
const HALF_PAIR = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

interface ChosenTextProps {
  quote: string;
  onLeave: () => void;
}

export function ChosenText({ quote, onLeave }: ChosenTextProps) {
  return (
    <div className={classes.chosen} role="group" aria-label="The selected text">
      <span className="ts-words">
        {visibleText(cutText(quote, QUOTE))}
        {quote.length > QUOTE && "…"}
      </span>
      <ActionIcon size={20} aria-label="Write about the whole step instead" onClick={onLeave}>
        <IconX size={12} />
      </ActionIcon>
    </div>
  );
}

/** What forms call the selection; empty: the step or tape as a whole. */
export function nameOf(anchor: Anchor | null): string {
  if (anchor === null) return "";
  return anchor.quote === "" ? "the selected field" : "the selected text";
}

/** The place of an annotation in the server's format; empty for a step or tape as a whole. */
export function placed(anchor: Anchor | null) {
  if (anchor === null) return {};
  const { field, start, end, quote } = anchor;
  // Text that is cut inside a surrogate pair is not a JSON string that the server accepts.
  return { field, start, end, quote: HALF_PAIR.test(quote) ? "" : cutText(quote, SENT_QUOTE) };
}

/** Whether an annotation is about exactly this piece; without one, about the step as a whole. */
export function isAbout(
  { field, start, end }: Pick<Annotation, "field" | "start" | "end">,
  anchor: Anchor | null,
): boolean {
  if (anchor === null) return field === "";
  return field === anchor.field && start === anchor.start && end === anchor.end;
}
