import { PasswordInput, SegmentedControl, TextInput } from "@mantine/core";

import type { FormErrors, KeySource, ModelForm } from "@/features/models/modelForm";
import classes from "@/features/models/Models.module.css";

const KEY_SOURCES: { value: KeySource; label: string }[] = [
  { value: "env", label: "Environment variable" },
  { value: "value", label: "Enter a key" },
  { value: "none", label: "No key" },
];

interface KeyFieldsProps {
  form: ModelForm;
  errors: FormErrors;
  onChange: (part: Partial<ModelForm>) => void;
}

/** Where the key comes from. An entered key is write-only: the server never sends it back. */
export function KeyFields({ form, errors, onChange }: KeyFieldsProps) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>Key</legend>
      <SegmentedControl
        fullWidth
        mb={8}
        aria-label="Where the key comes from"
        data={KEY_SOURCES}
        value={form.keySource}
        onChange={(keySource) => onChange({ keySource })}
      />
      {form.keySource === "env" && (
        <TextInput
          label="Variable"
          description="Read on the server when the model is called; never stored."
          placeholder="OPENAI_API_KEY"
          classNames={{ input: "ts-mono" }}
          value={form.keyEnv}
          error={errors.api_key_env}
          onChange={(event) => onChange({ keyEnv: event.currentTarget.value })}
        />
      )}
      {form.keySource === "value" && (
        <PasswordInput
          label="Key"
          description={
            form.hasStoredKey
              ? "A key is stored. Leave this empty to keep it."
              : "Stored encrypted, and never shown again."
          }
          placeholder={form.hasStoredKey ? "••••••••" : ""}
          autoComplete="off"
          value={form.keyValue}
          error={errors.api_key}
          onChange={(event) => onChange({ keyValue: event.currentTarget.value })}
        />
      )}
    </fieldset>
  );
}
