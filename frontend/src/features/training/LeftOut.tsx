import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

interface LeftOutProps {
  reasons: readonly { why: string; tape_count: number }[];
}

/** The tapes that contributed nothing to a set, one line per reason. */
export function LeftOut({ reasons }: LeftOutProps) {
  if (reasons.length === 0) return null;
  return (
    <ul aria-label="Left out" className="ts-dimmed">
      {reasons.map(({ why, tape_count: count }) => (
        <li key={why}>
          {countOf(count, "tape")} left out: {visibleText(why)}
        </li>
      ))}
    </ul>
  );
}
