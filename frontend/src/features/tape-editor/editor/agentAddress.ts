/** Where the agent of a tape is edited, with one of the tape's steps in view. */
import type { Tape } from "@/api/types";

/**
 * `null` if the tape's agent is not known, as on an imported one; `noteId` is the note on the step
 * that leads there.
 */
export function agentAddress(tape: Tape, position: number | null, noteId?: string): string | null {
  if (tape.agent_id === null || tape.agent_version_id === null || position === null) return null;
  const note = noteId === undefined ? "" : `&note=${noteId}`;
  return `/agents/${tape.agent_id}/edit?tape=${tape.id}&step=${position}${note}`;
}
