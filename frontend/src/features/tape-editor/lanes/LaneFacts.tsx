import { type Lane, useEditor } from "@/features/tape-editor/editor";
import { LaneMark } from "@/features/tape-editor/lanes/LaneMark";
import classes from "@/features/tape-editor/lanes/lanes.module.css";
import type { Job } from "@/api/types";
import { countOf } from "@/lib/format";

/** Whose lane it is, how far it is, and how many steps it has. */
export function LaneFacts({ lane }: { lane: Lane }) {
  const run = useEditor(({ live }) => live.state);
  return (
    <>
      <LaneMark path={lane.path} member={lane.member} />
      <span>{describeState(lane, run)}</span>
      <span className={classes.count}>{countOf(lane.count, "step")}</span>
    </>
  );
}

function describeState({ state, endsInAction }: Lane, run: Job["state"] | null): string {
  if (state !== "open") return state;
  if (run === "waiting" && endsInAction) return "waiting for a person";
  if (run === "paused") return "paused";
  return run === "queued" || run === "running" ? "running" : "not finished";
}
