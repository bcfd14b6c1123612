import type { TrainingSet } from "@/api/types";
import { countOf, formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

interface SetFactsProps {
  facts: TrainingSet["facts"];
}

/** Facts about the examples of a set: recorded tokens, groups, and the sets of a mixture. */
export function SetFacts({ facts }: SetFactsProps) {
  const lines = linesOf(facts);
  if (lines.length === 0) return null;
  return (
    <ul aria-label="Its examples" className="ts-dimmed">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function linesOf({
  recorded_count: recorded,
  rebuilt,
  group_count: groups,
  equal_group_count: equal,
  parts,
  none_held_out: noneHeldOut,
}: SetFactsProps["facts"]): string[] {
  return [
    ...(noneHeldOut === "" ? [] : [visibleText(noneHeldOut)]),
    ...(recorded > 0 || rebuilt.length > 0
      ? [`${countOf(recorded, "example")} with the tokens that were recorded`]
      : []),
    ...rebuilt.map(
      ({ why, count }) => `${countOf(count, "example")} made from text: ${visibleText(why)}`,
    ),
    ...(groups > 0 ? [`${countOf(groups, "group")} weighted by rewards`] : []),
    ...parts.map(
      ({ name, learnt_count: learnt, available_count: available }) =>
        `${formatExact(learnt)} of ${visibleText(name)}, which has ${countOf(available, "example")} to learn`,
    ),
    ...(equal > 0 ? [`${countOf(equal, "group")} left out: all rewards are equal`] : []),
  ];
}
