/** What a running agent streams, joined to what is known about the tape.
 *
 * - Live tape: the run's state and the steps received over the socket; pure, changed by events.
 * - Live event: a run is watched, is cut off, or has sent a message.
 * - Writing: the step that a model is writing now, as text, reasoning and tool calls.
 * - Cut short: what was written when a run was stopped.
 * - Pace: characters and time, from which tokens a second are computed.
 */
export { writingOfCall } from "@/features/tape-editor/live/cutOff";
export {
  describeWriting,
  emptyLiveTape,
  isUnfinished,
  type LiveEvent,
  type LiveTape,
  reduceLive,
  secondsWorked,
  tokensPerSecond,
  whatIsWritten,
  type Writing,
} from "@/features/tape-editor/live/liveTape";
export { useTick } from "@/features/tape-editor/live/useTick";
