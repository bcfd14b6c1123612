import { familyColour } from "@/lib/families";

const COLOURS = (["action", "observation", "communication", "thought"] as const).map(familyColour);

/** Neighbours differ; the fifth lane looks like the first. */
export function laneColour(path: string): string {
  const number = path.split("/").reduce((sum, part) => sum + (Number(part) || 0), 0);
  return COLOURS[(Math.max(1, number) - 1) % COLOURS.length] ?? "currentcolor";
}
