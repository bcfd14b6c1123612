/** The header of the tape: its title, its tags, how it is saved, and what can be done to all of it.
 *
 * - Replay: run again with the recorded calls, and show where the result differs.
 */
export { TapeHeader } from "@/features/tape-editor/header/TapeHeader";
