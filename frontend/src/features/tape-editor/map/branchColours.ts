/** What the lines of the branch map can be colored by. */
import type { FamilyMember } from "@/api/types";
import { familyColour, type VisualFamily } from "@/lib/families";

export const COLOURINGS = ["kind", "agent", "score"] as const;
export type Colouring = (typeof COLOURINGS)[number];

export interface Stretch {
  from: number;
  to: number;
  colour: string;
}

const FAMILIES: Record<string, VisualFamily> = {
  t: "thought",
  a: "action",
  o: "observation",
  c: "control",
  m: "communication",
};
const AGENT_FAMILIES: readonly VisualFamily[] = [
  "action",
  "communication",
  "observation",
  "thought",
  "error",
];
const UNKNOWN = "var(--ts-line-strong)";

/** A branch's own steps as stretches of one color each. */
export function stretchesOf(
  member: FamilyMember,
  start: number,
  colouring: Colouring,
  family: readonly FamilyMember[],
): Stretch[] {
  const end = member.step_count;
  if (colouring === "agent") return [{ from: start, to: end, colour: agentColour(member, family) }];
  if (colouring === "score") return [{ from: start, to: end, colour: scoreColour(member, family) }];
  if (member.bands.length === 0) return [{ from: start, to: end, colour: UNKNOWN }];
  return member.bands.map((from, at) => ({
    from,
    to: member.bands[at + 1] ?? end,
    colour: familyColour(FAMILIES[member.families.charAt(at)] ?? "control"),
  }));
}

function agentColour(member: FamilyMember, family: readonly FamilyMember[]): string {
  const names = [...new Set(family.map((one) => one.agent_name))].sort();
  const at = names.indexOf(member.agent_name) % AGENT_FAMILIES.length;
  return familyColour(AGENT_FAMILIES[at] ?? "control");
}

/** Red to green over the scale 0 to 1, widened if the scores of the family lie outside it. */
function scoreColour({ score }: FamilyMember, family: readonly FamilyMember[]): string {
  if (score === null) return UNKNOWN;
  const given = family.flatMap((one) => (one.score === null ? [] : [one.score]));
  const least = Math.min(0, ...given);
  const most = Math.max(1, ...given);
  const share = Math.round(((score - least) / (most - least)) * 100);
  return `color-mix(in oklab, var(--ts-good) ${share}%, var(--ts-bad))`;
}
