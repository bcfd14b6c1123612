import type { TapeRow } from "@/api/types";
import { OutcomeMark } from "@/ui/OutcomeMark";

/** The outcome in a table cell: short, and a dash if nobody judged the tape. */
export function OutcomeBadge({ outcome }: { outcome: TapeRow["outcome"] }) {
  if (outcome === "") return <span className="ts-dimmed">–</span>;
  return <OutcomeMark outcome={outcome} word={outcome === "pass" ? "Pass" : "Fail"} />;
}
