import {
  Alert,
  Button,
  Drawer,
  SegmentedControl,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { describeError } from "@/api/client";
import { addModel, changeModel, modelKeys } from "@/api/models";
import { fieldProblems } from "@/api/problems";
import type { Model } from "@/api/types";
import { KeyFields } from "@/features/models/KeyFields";
import {
  checkForm,
  emptyForm,
  formOf,
  hasMore,
  LIMIT_FIELDS,
  MORE_FIELDS,
  PRICE_FIELDS,
  toModelIn,
  withModel,
  type FormErrors,
  type ModelForm,
  type Source,
} from "@/features/models/modelForm";
import classes from "@/features/models/Models.module.css";

interface ModelDrawerProps {
  opened: boolean;
  /** `null` adds a new model. */
  model: Model | null;
  onClose: () => void;
}

const SOURCES: { value: Source; label: string }[] = [
  { value: "litellm", label: "A provider's model" },
  { value: "endpoint", label: "OpenAI-compatible server" },
];

/** What is typed for a new model is kept while the page is open, also if the drawer is closed. */
export function ModelDrawer({ opened, model, onClose }: ModelDrawerProps) {
  const [typed, setTyped] = useState(emptyForm);
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={440}
      transitionProps={{ duration: 150, exitDuration: 0 }}
      title={model === null ? "Add a model" : `Edit ${model.name}`}
    >
      {model === null ? (
        <ModelFields
          model={null}
          form={typed}
          onForm={setTyped}
          onSaved={() => {
            setTyped(emptyForm());
            onClose();
          }}
          onClose={onClose}
        />
      ) : (
        <EditFields key={model.id} model={model} onClose={onClose} />
      )}
    </Drawer>
  );
}

function EditFields({ model, onClose }: { model: Model; onClose: () => void }) {
  const [form, setForm] = useState(() => formOf(model));
  return (
    <ModelFields model={model} form={form} onForm={setForm} onSaved={onClose} onClose={onClose} />
  );
}

interface ModelFieldsProps {
  model: Model | null;
  form: ModelForm;
  onForm: (form: ModelForm) => void;
  onSaved: () => void;
  onClose: () => void;
}

function ModelFields({ model, form, onForm, onSaved, onClose }: ModelFieldsProps) {
  const [errors, setErrors] = useState<FormErrors>({});
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      model === null ? addModel(toModelIn(form)) : changeModel(model.id, toModelIn(form)),
    onSuccess: async ({ name }) => {
      await queryClient.invalidateQueries({ queryKey: modelKeys.all });
      notifications.show({ title: "Saved", message: `${name} is ready to use.` });
      onSaved();
    },
    onError: (error) => setErrors(fieldProblems(error)),
  });
  const change = (part: Partial<ModelForm>) => onForm({ ...form, ...part });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const found = checkForm(form);
        setErrors(found);
        if (Object.keys(found).length === 0) save.mutate();
      }}
    >
      <Stack gap={12}>
        <SegmentedControl
          fullWidth
          aria-label="Kind of model"
          data={SOURCES}
          value={form.source}
          onChange={(source) => change({ source })}
        />
        <WhichModel form={form} errors={errors} onChange={change} />
        <TextInput
          label="Name"
          description="The name used in the studio."
          value={form.name}
          error={errors.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <KeyFields form={form} errors={errors} onChange={change} />
        <More form={form} errors={errors} onChange={change} />
        {save.isError && (
          <Alert color="red" title="Not saved" role="alert">
            {describeError(save.error)}
          </Alert>
        )}
        <div className={classes.foot}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </div>
      </Stack>
    </form>
  );
}

/** What most models do without; open where something is set or wrong. */
function More({ form, errors, onChange }: PartProps) {
  const [isOpen, setOpen] = useState(() => hasMore(form));
  const isWrong = MORE_FIELDS.some((name) => errors[name] !== undefined);
  return (
    <details open={isOpen || isWrong} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="ts-row ts-fold">Prices, limits, parameters</summary>
      <Stack gap={12} mt={8}>
        <Prices form={form} errors={errors} onChange={onChange} />
        <Limits form={form} errors={errors} onChange={onChange} />
        <Switch
          label="Record tokens"
          description="Keep token ids (vLLM) and log-probabilities with each call, to train on what was really sampled."
          checked={form.recordTokens}
          onChange={({ currentTarget }) => onChange({ recordTokens: currentTarget.checked })}
        />
        <Textarea
          label="Parameters"
          description="Sent with every call, as a JSON object."
          placeholder='{"temperature": 0}'
          autosize
          minRows={2}
          classNames={{ input: "ts-mono" }}
          value={form.parameters}
          error={errors.parameters}
          onChange={(event) => onChange({ parameters: event.currentTarget.value })}
        />
      </Stack>
    </details>
  );
}

interface PartProps {
  form: ModelForm;
  errors: FormErrors;
  onChange: (part: Partial<ModelForm>) => void;
}

function WhichModel({ form, errors, onChange }: PartProps) {
  const isEndpoint = form.source === "endpoint";
  return (
    <>
      {isEndpoint && (
        <TextInput
          label="Base URL"
          description="Usually ends in /v1."
          placeholder="http://127.0.0.1:8001/v1"
          classNames={{ input: "ts-mono" }}
          value={form.baseUrl}
          error={errors.base_url}
          onChange={(event) => onChange({ baseUrl: event.currentTarget.value })}
        />
      )}
      <TextInput
        label="Model"
        data-autofocus
        description={
          isEndpoint ? "The model's name on the server." : "The litellm name, as provider/model."
        }
        placeholder={isEndpoint ? "my-model" : "openai/gpt-4o-mini"}
        classNames={{ input: "ts-mono" }}
        value={form.model}
        error={errors.litellm_model}
        onChange={(event) => onChange(withModel(form, event.currentTarget.value))}
      />
    </>
  );
}

function Limits({ form, errors, onChange }: PartProps) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>Limits of a call</legend>
      <p className="ts-dimmed" style={{ margin: "0 0 8px" }}>
        Leave empty for the default. A model that reasons may be silent for minutes before its first
        word.
      </p>
      <div className={classes.limits}>
        {LIMIT_FIELDS.map(({ name, label, usual }) => (
          <TextInput
            key={name}
            label={label}
            placeholder={String(usual)}
            inputMode="decimal"
            classNames={{ input: "ts-number" }}
            value={form.limits[name]}
            error={errors[name]}
            onChange={(event) =>
              onChange({ limits: { ...form.limits, [name]: event.currentTarget.value.trim() } })
            }
          />
        ))}
      </div>
    </fieldset>
  );
}

function Prices({ form, errors, onChange }: PartProps) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>Prices in dollars per million tokens</legend>
      <p className="ts-dimmed" style={{ margin: "0 0 8px" }}>
        Leave empty if unknown; costs are then unknown too.
      </p>
      <div className={classes.prices}>
        {PRICE_FIELDS.map(({ name, label }) => (
          <TextInput
            key={name}
            label={label}
            inputMode="decimal"
            classNames={{ input: "ts-number" }}
            value={form.prices[name]}
            error={errors[name]}
            onChange={(event) =>
              onChange({ prices: { ...form.prices, [name]: event.currentTarget.value.trim() } })
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
