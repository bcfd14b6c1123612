/** Where a finetune starts and how it learns: base, preset, and the changes to the preset. */
import { Autocomplete, Select, Textarea, TextInput } from "@mantine/core";
import { Link } from "react-router";

import { ApiError, describeError, problemAt } from "@/api/client";
import type { FinetuneOptions } from "@/api/training";
import type { BaseModel } from "@/api/types";
import {
  FIELDS,
  placeOf,
  presetValue,
  type OptionsDraft,
  type Preset,
} from "@/features/training/finetuneDraft";

interface BaseFieldProps {
  bases: readonly BaseModel[];
  value: string;
  /** Why this one cannot be used. */
  problem: string | undefined;
  onChange: (base: string) => void;
}

export function BaseField({ bases, value, problem, onChange }: BaseFieldProps) {
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
      error={problem}
      onChange={onChange}
    />
  );
}

interface OptionFieldsProps {
  draft: OptionsDraft;
  onChange: (part: Partial<OptionsDraft>) => void;
  options: FinetuneOptions;
  presets: readonly { value: Preset; label: string }[];
  /** Why the server would not start it; `null` if it would. */
  refusal: Error | null;
}

export function OptionFields({ draft, onChange, options, presets, refusal }: OptionFieldsProps) {
  return (
    <>
      <Select
        label="Preset"
        allowDeselect={false}
        data={presets}
        value={draft.preset}
        error={problemAt(refusal, "preset")}
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
              error={problemAt(refusal, `options.${placeOf(name)}`)}
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
        error={problemOfOthers(refusal)}
        onChange={({ currentTarget }) => onChange({ other: currentTarget.value })}
      />
    </>
  );
}

/** What is wrong with an option that has no field of its own, or with all of them together. */
function problemOfOthers(refusal: Error | null): string | undefined {
  if (!(refusal instanceof ApiError)) return undefined;
  const { field } = refusal.details;
  if (typeof field !== "string" || !/^options(\.|$)/.test(field)) return undefined;
  const hasOwn = FIELDS.some(({ name }) => field === `options.${placeOf(name)}`);
  return hasOwn ? undefined : describeError(refusal);
}

function describe(name: string, options: FinetuneOptions): string {
  const description = options.schema.properties[name]?.["description"];
  return typeof description === "string" ? description : "";
}
