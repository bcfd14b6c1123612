/** The steps of a branch as a row of ticks, colored by family. */
import { FAMILY_WORDS, familyColour, type VisualFamily } from "@/lib/families";

const FAMILIES: Readonly<Record<string, VisualFamily>> = {
  t: "thought",
  a: "action",
  o: "observation",
  c: "control",
  m: "communication",
  e: "error",
};
const SHOWN = 48;
const TICK = 3;
const GAP = 1;
const HEIGHT = 14;

export function KindSpark({ spark, title }: { spark: string; title: string }) {
  if (spark === "") return <span className="ts-dimmed">–</span>;
  // The end is the most informative part: what came before it is shown as an ellipsis.
  const isCut = spark.length > SHOWN;
  const letters = Array.from(isCut ? spark.slice(-SHOWN) : spark);
  return (
    <svg
      width={(isCut ? 8 : 0) + letters.length * (TICK + GAP)}
      height={HEIGHT}
      role="img"
      aria-label={`${title}: ${describeSpark(spark)}`}
    >
      {isCut && (
        <text x={0} y={10} fontSize={11} fill="currentColor">
          …
        </text>
      )}
      {letters.map((letter, index) => (
        <rect
          key={index}
          x={(isCut ? 8 : 0) + index * (TICK + GAP)}
          // Height and color both carry meaning: control steps are low, errors stand out.
          y={letter === "c" ? 8 : 2}
          width={TICK}
          height={letter === "c" ? 4 : 10}
          fill={familyColour(familyOf(letter))}
        />
      ))}
    </svg>
  );
}

export function familyOf(letter: string): VisualFamily {
  return FAMILIES[letter] ?? "thought";
}

/** "4 thought, 2 action, 1 error": in words, for people who do not see the colors. */
export function describeSpark(spark: string): string {
  const counts = new Map<VisualFamily, number>();
  for (const letter of spark) {
    const family = familyOf(letter);
    counts.set(family, (counts.get(family) ?? 0) + 1);
  }
  return [...counts]
    .map(([family, count]) => `${count} ${FAMILY_WORDS[family].toLowerCase()}`)
    .join(", ");
}
