/** Chooses the sets of a mixture, and the share of each. */
import { ActionIcon, Button, NumberInput, Select } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { IconX } from "@tabler/icons-react";

import { describeError } from "@/api/client";
import { rowsOf } from "@/api/pages";
import { trainingSetsQuery } from "@/api/training";
import { NO_PART, type MixedPart, type SetDraft } from "@/features/training/setDraft";
import classes from "@/features/training/training.module.css";
import { formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

const FEWEST = 2;
const MOST = 20;

interface MixtureFieldsProps {
  draft: SetDraft;
  onChange: (part: Partial<SetDraft>) => void;
}

export function MixtureFields({ draft: { parts, size }, onChange }: MixtureFieldsProps) {
  const sets = useInfiniteQuery(trainingSetsQuery());
  const rows = rowsOf(sets.data);
  const change = (at: number, part: Partial<MixedPart>) =>
    onChange({ parts: parts.map((one, i) => (i === at ? { ...one, ...part } : one)) });
  return (
    <fieldset>
      <legend className="ts-hint">Sets, and each one's share of the examples</legend>
      {sets.isError && <p role="alert">{describeError(sets.error)}</p>}
      {parts.map(({ setId, weight }, at) => (
        <div className={`ts-row ${classes.part}`} key={at}>
          <Select
            aria-label={`Set ${formatExact(at + 1)}`}
            placeholder="A training set"
            searchable
            data={rows.map(({ id, name, train_count: count }) => ({
              value: id,
              label: `${visibleText(name)} (${formatExact(count)})`,
              disabled: parts.some((one, i) => i !== at && one.setId === id),
            }))}
            value={setId}
            onChange={(value) => change(at, { setId: value })}
          />
          <NumberInput
            aria-label={`Share of set ${formatExact(at + 1)}`}
            placeholder="Share"
            min={0}
            hideControls
            value={weight}
            onChange={(value) => change(at, { weight: value })}
          />
          {parts.length > FEWEST && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove set ${formatExact(at + 1)}`}
              onClick={() => onChange({ parts: parts.filter((_, i) => i !== at) })}
            >
              <IconX size={16} />
            </ActionIcon>
          )}
        </div>
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        disabled={parts.length >= MOST}
        onClick={() => onChange({ parts: [...parts, NO_PART] })}
      >
        Add a set
      </Button>
      <NumberInput
        label="Examples to learn"
        description="Small sets are repeated to reach this number. Leave empty to use every example once"
        placeholder="No limit"
        min={1}
        allowDecimal={false}
        hideControls
        thousandSeparator=","
        value={size}
        onChange={(count) => onChange({ size: count })}
      />
    </fieldset>
  );
}
