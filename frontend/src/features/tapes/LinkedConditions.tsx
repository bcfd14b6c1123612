/** The conditions that a link added to the query, each with a button that removes it. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconX } from "@tabler/icons-react";

import { batchesQuery } from "@/api/batches";
import type { TapeListState } from "@/features/tapes/useTapeFilter";
import { shortId } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

const LINT_WORDS: Record<string, string> = {
  any: "With a finding",
  none: "Linted, no findings",
};

interface LinkedConditionsProps {
  state: TapeListState;
  onChange: (part: Partial<TapeListState>) => void;
}

export function LinkedConditions({ state, onChange }: LinkedConditionsProps) {
  const { agent, batch, lint } = state;
  const batches = useQuery({ ...batchesQuery(), enabled: batch !== "" });
  const batchName = batches.data?.find(({ id }) => id === batch)?.name ?? shortId(batch);
  const shown = [
    { name: "agent" as const, value: agent, words: `Agent ${agent}` },
    { name: "batch" as const, value: batch, words: `Batch ${batchName}` },
    { name: "lint" as const, value: lint, words: LINT_WORDS[lint] ?? `Finding ${lint}` },
  ];
  return shown
    .filter(({ value }) => value !== "")
    .map(({ name, words }) => (
      <Button
        key={name}
        variant="light"
        size="compact-md"
        rightSection={<IconX size={12} />}
        aria-label={`Remove: ${visibleText(words)}`}
        onClick={() => onChange({ [name]: "" })}
      >
        <span className="ts-truncate" style={{ maxWidth: 200 }}>
          {visibleText(words)}
        </span>
      </Button>
    ));
}
