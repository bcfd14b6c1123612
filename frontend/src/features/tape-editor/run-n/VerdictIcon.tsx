import {
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconCoinOff,
  IconHourglass,
  IconLoader2,
  IconPlugConnectedX,
  type Icon,
} from "@tabler/icons-react";

import type { Verdict } from "@/features/tape-editor/run-n/branchTable";

const LOOKS: Record<Verdict, { icon: Icon; colour: string }> = {
  passed: { icon: IconCircleCheck, colour: "var(--ts-good)" },
  failed: { icon: IconCircleX, colour: "var(--ts-bad)" },
  unjudged: { icon: IconCircleDashed, colour: "var(--mantine-color-dimmed)" },
  working: { icon: IconLoader2, colour: "var(--ts-accent)" },
  waiting: { icon: IconHourglass, colour: "var(--ts-warn)" },
  broken: { icon: IconPlugConnectedX, colour: "var(--ts-warn)" },
  stopped: { icon: IconBan, colour: "var(--mantine-color-dimmed)" },
  out_of_budget: { icon: IconCoinOff, colour: "var(--ts-warn)" },
};

export function VerdictIcon({ verdict }: { verdict: Verdict }) {
  const { icon: Drawn, colour } = LOOKS[verdict];
  return <Drawn size={15} stroke={1.75} color={colour} aria-hidden="true" />;
}
