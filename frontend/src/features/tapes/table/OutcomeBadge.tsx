import type { TapeRow } from "@/api/types";
import { OutcomeMark } from "@/ui/OutcomeMark";

/** The outcome as a cell of the table: short, and a dash where nobody judged. */
export function OutcomeBadge({ outcome }: { outcome: TapeRow["outcome"] }) {
  if (outcome === "") return <span className="ts-dimmed">–</span>;
  return <OutcomeMark outcome={outcome} word={outcome === "pass" ? "Pass" : "Fail"} />;
}
