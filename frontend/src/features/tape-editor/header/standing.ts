/** The status of a tape: its outcome if there is one, else the result of its last run. */
import type { Tape } from "@/api/types";
import type { Standing } from "@/lib/outcomes";

interface StandingFacts {
  tape: Pick<Tape, "outcome" | "metadata">;
  isRunning: boolean;
  /** What the run is waiting for; if omitted, it is not. */
  rests?: "waiting" | "paused" | null;
  /** Its newest run failed. */
  hasFailed: boolean;
  /** Its last step reports an error. */
  endsWithError: boolean;
}

export function standingOf(facts: StandingFacts): Standing {
  const { tape, isRunning, rests = null, hasFailed, endsWithError } = facts;
  if (isRunning) return rests ?? "running";
  if (tape.outcome !== "") return tape.outcome;
  const { error } = tape.metadata;
  const isBroken = error !== undefined && error !== null && error !== "" && error !== false;
  return hasFailed || endsWithError || isBroken ? "error" : "";
}
