/** The tapes that a preview skips, one line per reason. */
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

interface LeftOutLinesProps {
  leftOut: readonly { why: string; tape_count: number }[];
}

export function LeftOutLines({ leftOut }: LeftOutLinesProps) {
  return leftOut.map(({ why, tape_count: count }) => (
    <p key={why}>
      {countOf(count, "tape")} omitted: {visibleText(why)}
    </p>
  ));
}
