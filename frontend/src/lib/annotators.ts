/** Who judged a tape in a queue, in a sentence. */
import { type Outcome, OUTCOME_WORDS } from "@/lib/outcomes";

interface Verdict {
  person: string;
  outcome: Outcome;
}

/** Empty where nobody did, or where the tape was judged otherwise after them. */
export function describeAnnotators(outcome: Outcome, said: readonly Verdict[]): string {
  const verdicts = [...new Map(said.map((one) => [one.person, one.outcome]))];
  const outcomes = new Set(verdicts.map(([, one]) => one));
  if (outcomes.size > 1) {
    const each = verdicts.map(([person, one]) => `${person} ${OUTCOME_WORDS[one].toLowerCase()}`);
    return `Annotators disagree (${each.join(", ")}), so their answers do not set the outcome.`;
  }
  if (!outcomes.has(outcome)) return "";
  return `Judged in a queue by ${verdicts.map(([person]) => person).join(", ")}.`;
}
