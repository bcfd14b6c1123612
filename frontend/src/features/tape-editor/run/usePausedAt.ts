import { useEditor, useTapeModel } from "@/features/tape-editor/editor";
import { useRunJob } from "@/features/tape-editor/run/useLiveRun";

/** The recorded position of the step that the run is paused at; `null` if it is not paused.
 *
 * That is the step of the breakpoint that was hit, or the last step that was written.
 */
export function usePausedAt(): number | null {
  const { outline } = useTapeModel();
  const isPaused = useEditor(({ live }) => live.state === "paused");
  const hit = useRunJob()?.run?.hit ?? null;
  if (!isPaused || outline.length === 0) return null;
  return Math.min(hit?.position ?? outline.length, outline.length - 1);
}
