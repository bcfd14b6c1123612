import { Anchor } from "@mantine/core";

import { useAddress } from "@/lib/useAddress";

/** A link to a step of the open tape. */
export function StepLink({ position }: { position: number }) {
  const [, change] = useAddress();
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      onClick={() => change({ step: String(position) })}
    >
      step {position}
    </Anchor>
  );
}
