/** Starts a finetune: a training set, a base, a preset and what differs from it. */
import { Autocomplete, Button, Modal, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router";

import { describeError } from "@/api/client";
import {
  baseModelsQuery,
  finetuneOptionsQuery,
  finetuneQuery,
  trainingSetQuery,
  trainingSetsQuery,
  useStartFinetune,
  type FinetuneOptions,
} from "@/api/training";
import type { BaseModel, TrainingSet } from "@/api/types";
import {
  draftAfter,
  EMPTY_FINETUNE,
  FIELDS,
  PRESETS,
  presetValue,
  readDraft,
  type FinetuneDraft,
  type Preset,
} from "@/features/training/finetuneDraft";
import classes from "@/features/training/training.module.css";
import { countOf } from "@/lib/format";
import { useAddress } from "@/lib/useAddress";
import { visibleText } from "@/lib/visibleText";
import { ErrorState, RowsSkeleton } from "@/ui/States";

interface NewFinetuneProps {
  isOpen: boolean;
  onClose: () => void;
}

export function NewFinetune({ isOpen, onClose }: NewFinetuneProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="New finetune" size={600}>
      <Loading />
    </Modal>
  );
}

function Loading() {
  const [address] = useAddress();
  const from = address.get("from");
  const sets = useInfiniteQuery(trainingSetsQuery());
  const bases = useQuery(baseModelsQuery());
  const options = useQuery(finetuneOptionsQuery());
  const model = useQuery({ ...finetuneQuery(from ?? ""), enabled: from !== null });
  const setId = address.get("set") ?? model.data?.training_set_id ?? null;
  // The list may be older than the set, or may not reach so far back.
  const named = useQuery({ ...trainingSetQuery(setId ?? ""), enabled: setId !== null });
  const needed = [
    sets,
    bases,
    options,
    ...(from === null ? [] : [model]),
    ...(setId === null ? [] : [named]),
  ];
  const failed = needed.find(({ isError, data }) => isError && data === undefined);
  if (failed !== undefined) {
    return (
      <ErrorState
        title="The form could not be loaded"
        message={describeError(failed.error)}
        onRetry={() => needed.forEach((query) => void query.refetch())}
      />
    );
  }
  const isThere =
    (from === null || model.data !== undefined) && (setId === null || named.data !== undefined);
  if (!sets.data || !bases.data || !options.data || !isThere) {
    return <RowsSkeleton label="Loading the form" rows={5} />;
  }
  const listed = sets.data.pages.flatMap(({ items }) => items);
  const others = listed.filter(({ id }) => id !== setId);
  const rows = named.data === undefined ? listed : [named.data, ...others];
  const [base] = bases.data;
  return (
    <FinetuneForm
      sets={rows}
      bases={bases.data}
      options={options.data}
      first={
        model.data !== undefined
          ? draftAfter(model.data)
          : beginDraft(rows, setId, base?.name ?? "")
      }
    />
  );
}

function beginDraft(
  sets: readonly TrainingSet[],
  asked: string | null,
  base: string,
): FinetuneDraft {
  const setId = asked ?? sets[0]?.id ?? null;
  const preset = presetFor(setId, sets, EMPTY_FINETUNE.preset);
  return { ...EMPTY_FINETUNE, setId, base, preset };
}

/** A set of preference pairs asks for the preset that learns from them, and no other does. */
function presetFor(setId: string | null, sets: readonly TrainingSet[], preset: Preset): Preset {
  const isOfPairs = sets.find(({ id }) => id === setId)?.kind === "preference";
  if (isOfPairs) return "preference";
  return preset === "preference" ? EMPTY_FINETUNE.preset : preset;
}

/** The dialog looks for its first field when it opens, and the form comes later. */
const focus = (field: HTMLInputElement | null) => field?.focus();

interface FinetuneFormProps {
  sets: readonly TrainingSet[];
  bases: readonly BaseModel[];
  options: FinetuneOptions;
  first: FinetuneDraft;
}

function FinetuneForm({ sets, bases, options, first }: FinetuneFormProps) {
  const [draft, setDraft] = useState(first);
  const navigate = useNavigate();
  const start = useStartFinetune();
  const change = (part: Partial<FinetuneDraft>) => setDraft({ ...draft, ...part });
  const read = readDraft(draft, options);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if ("problem" in read) return;
        start.mutate(read.request, { onSuccess: ({ id }) => void navigate(`/training/${id}`) });
      }}
    >
      <Stack gap={12}>
        <TextInput
          label="Name"
          description="Of the adapter that it comes to"
          data-autofocus
          ref={focus}
          maxLength={200}
          value={draft.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        {sets.length === 0 ? (
          <p>
            There is no training set to learn from yet.{" "}
            <Link to="/training?tab=sets&new=set">Make a training set</Link>
          </p>
        ) : (
          <Select
            label="Training set"
            searchable
            allowDeselect={false}
            data={sets.map(({ id, name, train_count }) => ({
              value: id,
              label: `${visibleText(name)} (${countOf(train_count, "example")})`,
            }))}
            value={draft.setId}
            onChange={(setId) => change({ setId, preset: presetFor(setId, sets, draft.preset) })}
          />
        )}
        <Autocomplete
          label="Base model"
          description={
            bases.length === 0 ? (
              <>
                None is here yet: name one on the hub, or{" "}
                <Link to="/training?tab=bases">make the tiny one</Link>
              </>
            ) : (
              "One of the studio, or a name on the hub such as Qwen/Qwen3-0.6B"
            )
          }
          data={bases.map(({ name }) => name)}
          maxLength={200}
          value={draft.base}
          onChange={(base) => change({ base })}
        />
        <Select
          label="Preset"
          allowDeselect={false}
          data={PRESETS}
          value={draft.preset}
          onChange={(value) =>
            change({ preset: PRESETS.find((one) => one.value === value)?.value ?? draft.preset })
          }
        />
        <fieldset>
          <legend className="ts-hint">What differs from the preset</legend>
          <div className={classes.fields}>
            {FIELDS.map(({ name, label }) => (
              <TextInput
                key={name}
                label={label}
                inputMode="decimal"
                title={describe(name, options)}
                placeholder={presetValue(name, draft.preset, options)}
                value={draft.fields[name] ?? ""}
                onChange={({ currentTarget }) =>
                  change({ fields: { ...draft.fields, [name]: currentTarget.value } })
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
          onChange={({ currentTarget }) => change({ other: currentTarget.value })}
        />
        {start.isError && <p role="alert">{describeError(start.error)}</p>}
        <div className="ts-row">
          {"problem" in read && <span className="ts-dimmed">{read.problem}</span>}
          <Button type="submit" ml="auto" disabled={"problem" in read} loading={start.isPending}>
            Start finetune
          </Button>
        </div>
      </Stack>
    </form>
  );
}

function describe(name: string, options: FinetuneOptions): string {
  const told = options.schema.properties[name]?.["description"];
  return typeof told === "string" ? told : "";
}
