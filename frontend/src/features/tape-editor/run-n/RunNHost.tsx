/** Run N in the editor: its dialog on top of everything, its results in place of the panes. */
import { lazy, Suspense, useMemo, type ReactNode } from "react";

import type { Autosave } from "@/features/tape-editor/saving";
import type { RunN } from "@/features/tape-editor/run-n/useRunN";
import { useTapeModel } from "@/features/tape-editor/editor";
import { useCommands } from "@/lib/commands";
import { useKeys } from "@/lib/keys";
import { RowsSkeleton } from "@/ui/States";

const ExperimentPanel = lazy(async () => ({
  default: (await import("@/features/tape-editor/run-n/ExperimentPanel")).ExperimentPanel,
}));
const RunNDialog = lazy(async () => ({
  default: (await import("@/features/tape-editor/run-n/RunNDialog")).RunNDialog,
}));

interface RunNHostProps {
  runN: RunN;
  /** The step that is chosen on the tape. */
  step: number | null;
  autosave: Autosave;
  /** The panes, shown while no experiment is open. */
  children: ReactNode;
}

export function RunNHost({ runN, step, autosave, children }: RunNHostProps) {
  useRunNKeys(runN);
  const isOpen = runN.view.kind !== "closed";
  return (
    <>
      {isOpen ? (
        <Suspense fallback={<RowsSkeleton label="Loading Run N" rows={8} />}>
          <ExperimentPanel runN={runN} />
        </Suspense>
      ) : (
        children
      )}
      {runN.isAsking && (
        <Suspense fallback={null}>
          <RunNDialog runN={runN} step={step} autosave={autosave} />
        </Suspense>
      )}
    </>
  );
}

function useRunNKeys({ ask, openList }: RunN): void {
  const { tape } = useTapeModel();
  const canRun = !tape.is_archived;
  const bindings = useMemo(
    () =>
      canRun
        ? [{ keys: "mod+shift+Enter", label: "Run N times", whileTyping: true, run: ask }]
        : [],
    [canRun, ask],
  );
  useKeys("Tape", bindings);
  const commands = useMemo(
    () => [{ label: "Experiments of this tape", run: openList }],
    [openList],
  );
  useCommands("Tape", commands);
}
