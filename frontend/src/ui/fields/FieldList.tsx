import { useState } from "react";

import { countOf } from "@/lib/format";
import type { Field } from "@/ui/fields/field";
import { FieldDiff } from "@/ui/fields/FieldDiff";
import { MoreButton } from "@/ui/MoreButton";

interface FieldListProps {
  fields: readonly Field[];
  isUnified: boolean;
  /** How many fields to show before the rest is folded, like everything long. */
  most?: number;
}

export function FieldList({ fields, isUnified, most = 8 }: FieldListProps) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? fields : fields.slice(0, most);
  const rest = fields.length - most;
  return (
    <>
      {shown.map((field, at) => (
        // What a set gained or lost is several fields with the same path.
        <FieldDiff key={`${at} ${field.path}`} field={field} isUnified={isUnified} />
      ))}
      {shown.some((field) => field.is_cut === true) && (
        <p className="ts-hint">Only the beginning of very long values is shown.</p>
      )}
      {rest > 0 && (
        <MoreButton isOpen={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show less" : `Show ${countOf(rest, "more changed field")}`}
        </MoreButton>
      )}
    </>
  );
}
