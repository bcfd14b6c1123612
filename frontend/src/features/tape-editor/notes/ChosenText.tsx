/** The piece of text that was selected: what is said next is about it, not about the whole step. */
import { ActionIcon } from "@mantine/core";
import { IconX } from "@tabler/icons-react";

import type { Annotation } from "@/api/types";
import type { TextAnchor } from "@/features/tape-editor/notes/anchors";
import classes from "@/features/tape-editor/notes/notes.module.css";
import { cutText, visibleText } from "@/lib/visibleText";

const QUOTE = 160;
const SENT_QUOTE = 2000;
const HALF_PAIR = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

interface ChosenTextProps {
  anchor: TextAnchor;
  onLeave: () => void;
}

export function ChosenText({ anchor, onLeave }: ChosenTextProps) {
  return (
    <div className={classes.chosen} role="group" aria-label="The chosen text">
      <span className={classes.quoted}>
        {visibleText(cutText(anchor.quote, QUOTE))}
        {anchor.quote.length > QUOTE && "…"}
      </span>
      <ActionIcon size={20} aria-label="Write about the whole step instead" onClick={onLeave}>
        <IconX size={12} />
      </ActionIcon>
    </div>
  );
}

/** The place of an annotation, as the server takes it; nothing for a whole step or tape. */
export function placed(anchor: TextAnchor | null) {
  if (anchor === null) return {};
  const { field, start, end, quote } = anchor;
  // Text with half characters is no JSON string that the server takes.
  return { field, start, end, quote: HALF_PAIR.test(quote) ? "" : cutText(quote, SENT_QUOTE) };
}

/** Whether something was said about exactly this piece, or about the whole as well. */
export function isAbout(
  { field, start, end }: Pick<Annotation, "field" | "start" | "end">,
  anchor: TextAnchor | null,
): boolean {
  if (anchor === null) return field === "";
  return field === anchor.field && start === anchor.start && end === anchor.end;
}
