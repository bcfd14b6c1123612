/** The props of each part of the options panel. */
import type { RunChoice } from "@/features/tape-editor/choice";

export interface OptionFieldsProps {
  choice: RunChoice;
  change: (part: Partial<RunChoice>) => void;
}

/** A list in a portal is outside the panel: choosing from it would close the panel. */
export const IN_PANEL = { withinPortal: false } as const;
