/** How a tape stands: what was said of it, else what its last run came to. */
import type { Tape } from "@/api/types";
import type { Standing } from "@/lib/outcomes";

interface StandingFacts {
  tape: Pick<Tape, "outcome" | "metadata">;
  isRunning: boolean;
  /** What the run stands still for; left out: it does not. */
  rests?: "waiting" | "paused" | null;
  /** Its newest run broke off. */
  hasFailed: boolean;
  /** The last step of it reports an error. */
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
