import { formatExact } from "@/lib/format";

interface LostPartsProps {
  parts: readonly { what: string; count: number }[];
}

/** What the format of an export cannot hold, and of how many tapes or examples. */
export function LostParts({ parts }: LostPartsProps) {
  return parts.map(({ what, count }) => (
    <div key={what} className="ts-hint">
      Not exported of {formatExact(count)}: {what}
    </div>
  ));
}
