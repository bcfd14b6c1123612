/** Number fields for limits on what something may use; an empty field means no limit. */
import { NumberInput } from "@mantine/core";

import type { Typed } from "@/lib/typed";

interface LimitProps {
  /** The unit. */
  title?: string;
  value: Typed;
  /** Why the limit cannot be kept. */
  error?: string | undefined;
  onChange: (value: Typed) => void;
}

export function MoneyLimit(props: LimitProps) {
  return <NumberInput label="Max cost" placeholder="No limit" prefix="$" min={0} {...props} />;
}

export function MinutesLimit(props: LimitProps) {
  return <NumberInput label="Max minutes" placeholder="No limit" min={0} {...props} />;
}

export function CountLimit({ what, ...props }: LimitProps & { what: string }) {
  return (
    <NumberInput
      label={`Max ${what.toLowerCase()}`}
      placeholder="No limit"
      min={1}
      allowDecimal={false}
      {...props}
    />
  );
}
