/** One agent, the improver, works on the tape of another.
 *
 * - Improved: the tape that was given to the improver; named in the context of the improver's tape.
 * - Revision: one step of the improved tape with other values; written into it as a fork.
 */
export { ImproveDialog } from "@/features/tape-editor/improving/ImproveDialog";
export { readRevision, type Revision } from "@/features/tape-editor/improving/revision";
export { RevisionWords } from "@/features/tape-editor/improving/RevisionWords";
