/** Who judged a tape in a queue, in a sentence. */
import { type Outcome, OUTCOME_WORDS } from "@/lib/outcomes";

interface Verdict {
  person: string;
  outcome: Outcome;
}

/** Empty if nobody did, or if the tape's outcome was changed after their answers. */
export function describeAnnotators(outcome: Outcome, verdicts: readonly Verdict[]): string {
  const latest = [...new Map(verdicts.map((one) => [one.person, one.outcome]))];
  const outcomes = new Set(latest.map(([, one]) => one));
  if (outcomes.size > 1) {
    const each = latest.map(([person, one]) => `${person} ${OUTCOME_WORDS[one].toLowerCase()}`);
    return `Annotators disagree (${each.join(", ")}), so their answers do not set the outcome.`;
  }
  if (!outcomes.has(outcome)) return "";
  return `Judged in a queue by ${latest.map(([person]) => person).join(", ")}.`;
}
