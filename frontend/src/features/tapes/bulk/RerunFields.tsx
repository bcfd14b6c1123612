/** The fields of a rerun: which agent runs and how, and what may stop it. */
import { NumberInput, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { modelsQuery } from "@/api/models";
import classes from "@/features/tapes/bulk/bulk.module.css";
import { HOW_FAR, TOOLS, type RerunDraft, type Who } from "@/features/tapes/bulk/rerunDraft";
import { optionsOf } from "@/lib/options";

interface FieldsProps {
  draft: RerunDraft;
  onChange: (part: Partial<RerunDraft>) => void;
}

export function WhoFields({ draft, who, onChange }: FieldsProps & { who: Who }) {
  const models = useQuery(modelsQuery());
  return (
    <div className={classes.fields}>
      <Select
        label="Agent"
        placeholder="Choose an agent"
        searchable
        allowDeselect={false}
        data={optionsOf(who.agents)}
        value={who.agentId}
        onChange={(agentId) => onChange({ agentId, versionId: null })}
      />
      <Select
        label="Version"
        allowDeselect={false}
        disabled={who.versions.length === 0}
        data={who.versions.map(({ id, number }) => ({ value: id, label: `v${number}` }))}
        value={who.versionId}
        onChange={(versionId) => onChange({ versionId })}
      />
      <Select
        label="Model"
        placeholder="Agent default"
        clearable
        data={optionsOf(models.data ?? [])}
        value={draft.modelId}
        onChange={(modelId) => onChange({ modelId })}
      />
      <Select
        label="Run length"
        allowDeselect={false}
        data={[...HOW_FAR]}
        value={draft.until}
        onChange={(value) => onChange({ until: optionOf(HOW_FAR, value) ?? draft.until })}
      />
      <Select
        label="Tools"
        allowDeselect={false}
        data={[...TOOLS]}
        value={draft.tools}
        onChange={(value) => onChange({ tools: optionOf(TOOLS, value) ?? draft.tools })}
      />
    </div>
  );
}

/** Limits for all runs together; an empty field means no limit. */
export function LimitFields({ draft, onChange }: FieldsProps) {
  const common = { hideControls: true, min: 0, placeholder: "no limit" };
  return (
    <div className={classes.fields} role="group" aria-label="Limits for all runs">
      <NumberInput
        {...common}
        label="Token budget (hard limit)"
        thousandSeparator=","
        min={1}
        allowDecimal={false}
        value={draft.tokens ?? ""}
        onChange={(value) => onChange({ tokens: numberOf(value) })}
      />
      <NumberInput
        {...common}
        label="Dollar budget (hard limit)"
        prefix="$"
        decimalScale={6}
        value={draft.dollars ?? ""}
        onChange={(value) => onChange({ dollars: numberOf(value) })}
      />
      <NumberInput
        {...common}
        label="Parallel runs"
        min={1}
        max={200}
        allowDecimal={false}
        value={draft.concurrency ?? ""}
        onChange={(value) => onChange({ concurrency: numberOf(value) })}
      />
    </div>
  );
}

function optionOf<Value extends string>(
  options: readonly { value: Value }[],
  chosen: string | null,
): Value | undefined {
  return options.find(({ value }) => value === chosen)?.value;
}

/** An empty field, or zero, means no limit. */
function numberOf(value: number | string): number | null {
  return typeof value === "number" && value > 0 ? value : null;
}
