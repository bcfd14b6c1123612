/** The strip below the panes: start the agent, watch it, steer it, answer it. */
import { useCanWrite } from "@/api/session";
import type { Autosave } from "@/features/tape-editor/saving";
import { useEditor, useTapeModel } from "@/features/tape-editor/editor";
import { FixStrip } from "@/features/tape-editor/fixes";
import { PausedNotice } from "@/features/tape-editor/run/PausedNotice";
import { ReplyBox } from "@/features/tape-editor/run/ReplyBox";
import { ResumeControls } from "@/features/tape-editor/run/ResumeControls";
import { RunningControls } from "@/features/tape-editor/run/RunningControls";
import { useHasDraft } from "@/features/tape-editor/run/useResume";
import classes from "@/features/tape-editor/run/run.module.css";
import { useAddress } from "@/lib/useAddress";

export function RunBar({ autosave }: { autosave: Autosave }) {
  const { isRunning } = useTapeModel();
  const canWrite = useCanWrite();
  return (
    <section className={classes.strip} aria-label="Run" data-tour="run">
      {isRunning ? (
        <Running autosave={autosave} canWrite={canWrite} />
      ) : (
        <Resting autosave={autosave} canWrite={canWrite} />
      )}
    </section>
  );
}

function Running({ autosave, canWrite }: { autosave: Autosave; canWrite: boolean }) {
  const state = useEditor(({ live }) => live.state);
  const hasDraft = useHasDraft();
  return (
    <>
      {canWrite && state === "waiting" && <ReplyBox />}
      {state === "paused" && <PausedNotice />}
      <RunningControls canWrite={canWrite} />
      {canWrite && hasDraft && <ResumeControls autosave={autosave} />}
    </>
  );
}

/** Running all fixes is an experiment: the address opens its dialog. */
function useAskAll(): () => void {
  const [, change] = useAddress();
  return () => change({ n: "new" });
}

function Resting({ autosave, canWrite }: { autosave: Autosave; canWrite: boolean }) {
  const askAll = useAskAll();
  if (canWrite) {
    return (
      <>
        <FixStrip autosave={autosave} onRunAll={askAll} />
        <ResumeControls autosave={autosave} />
      </>
    );
  }
  return (
    <p className={`ts-row ts-hint ${classes.note}`}>
      You can only view this project; its members can run agents.
    </p>
  );
}
