/** Where a finetune starts and how it learns: base, preset, and the changes to the preset. */
import { Autocomplete, Select, Textarea, TextInput } from "@mantine/core";
import { Link } from "react-router";

import type { FinetuneOptions } from "@/api/training";
import type { BaseModel } from "@/api/types";
import {
  FIELDS,
  presetValue,
  type OptionsDraft,
  type Preset,
} from "@/features/training/finetuneDraft";

interface BaseFieldProps {
  bases: readonly BaseModel[];
  value: string;
  onChange: (base: string) => void;
}

export function BaseField({ bases, value, onChange }: BaseFieldProps) {
  return (
    <Autocomplete
      label="Base model"
      description={
        bases.length === 0 ? (
          <>
            No base model yet: enter one from the Hugging Face hub, or{" "}
            <Link to="/training?tab=bases">make the tiny one</Link>
          </>
        ) : (
          "A base model of the studio, or a name on the hub, such as Qwen/Qwen3-0.6B"
        )
      }
      data={bases.map(({ name }) => name)}
      maxLength={200}
      value={value}
      onChange={onChange}
    />
  );
}

interface OptionFieldsProps {
  draft: OptionsDraft;
  onChange: (part: Partial<OptionsDraft>) => void;
  options: FinetuneOptions;
  presets: readonly { value: Preset; label: string }[];
}

export function OptionFields({ draft, onChange, options, presets }: OptionFieldsProps) {
  return (
    <>
      <Select
        label="Preset"
        allowDeselect={false}
        data={presets}
        value={draft.preset}
        onChange={(value) =>
          onChange({ preset: presets.find((one) => one.value === value)?.value ?? draft.preset })
        }
      />
      <fieldset>
        <legend className="ts-hint">What differs from the preset</legend>
        <div className="ts-fields">
          {FIELDS.map(({ name, label }) => (
            <TextInput
              key={name}
              label={label}
              inputMode="decimal"
              title={describe(name, options)}
              placeholder={presetValue(name, draft.preset, options)}
              value={draft.fields[name] ?? ""}
              onChange={({ currentTarget }) =>
                onChange({ fields: { ...draft.fields, [name]: currentTarget.value } })
              }
            />
          ))}
        </div>
      </fieldset>
      <Textarea
        label="Other options"
        description="JSON, such as an object with schedule, warmup_steps or gradient_checkpointing"
        autosize
        minRows={1}
        maxRows={8}
        value={draft.other}
        onChange={({ currentTarget }) => onChange({ other: currentTarget.value })}
      />
    </>
  );
}

function describe(name: string, options: FinetuneOptions): string {
  const description = options.schema.properties[name]?.["description"];
  return typeof description === "string" ? description : "";
}
