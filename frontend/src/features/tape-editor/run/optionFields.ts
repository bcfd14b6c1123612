/** What each part of the options panel is given. */
import type { RunChoice } from "@/features/tape-editor/choice";

export interface OptionFieldsProps {
  choice: RunChoice;
  change: (part: Partial<RunChoice>) => void;
}

/** A list in a portal lies outside of the panel: to choose from it would close the panel. */
export const IN_PANEL = { withinPortal: false } as const;
