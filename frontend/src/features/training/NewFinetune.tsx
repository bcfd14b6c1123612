/** Starts a finetune: a training set, a base, a preset and the changes to it. */
import { Button, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link, useNavigate } from "react-router";

import { useChecked } from "@/api/checking";
import { describeError, problemAt } from "@/api/client";
import { allOf } from "@/api/needed";
import { rowsOf } from "@/api/pages";
import {
  baseModelsQuery,
  finetuneCheckQuery,
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
  PRESETS,
  readDraft,
  type FinetuneDraft,
  type Preset,
} from "@/features/training/finetuneDraft";
import { BaseField, OptionFields } from "@/features/training/OptionFields";
import { countOf } from "@/lib/format";
import { useAddress } from "@/lib/useAddress";
import { visibleText } from "@/lib/visibleText";
import { LoadedForm } from "@/ui/LoadedForm";

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
  // The list may be older than the set, or may not reach back far enough.
  const named = useQuery({ ...trainingSetQuery(setId ?? ""), enabled: setId !== null });
  const needed = allOf({
    sets,
    bases,
    options,
    ...(from !== null && { model }),
    ...(setId !== null && { named }),
  });
  return (
    <LoadedForm needed={needed} rows={5}>
      {(known) => {
        const listed = rowsOf(known.sets);
        const others = listed.filter(({ id }) => id !== setId);
        const rows = known.named === undefined ? listed : [known.named, ...others];
        const [base] = known.bases;
        return (
          <FinetuneForm
            sets={rows}
            bases={known.bases}
            options={known.options}
            first={
              known.model !== undefined
                ? draftAfter(known.model)
                : beginDraft(rows, setId, base?.name ?? "", {
                    name: address.get("name") ?? "",
                    preset: presetOf(address.get("preset")),
                  })
            }
          />
        );
      }}
    </LoadedForm>
  );
}

function beginDraft(
  sets: readonly TrainingSet[],
  asked: string | null,
  base: string,
  { name, preset: wanted }: Pick<FinetuneDraft, "name" | "preset">,
): FinetuneDraft {
  const setId = asked ?? sets[0]?.id ?? null;
  const preset = presetFor(setId, sets, wanted);
  return { ...EMPTY_FINETUNE, name, setId, base: baseFor(setId, sets, base), preset };
}

function presetOf(name: string | null): Preset {
  return PRESETS.find(({ value }) => value === name)?.value ?? EMPTY_FINETUNE.preset;
}

/** A set of preference pairs requires the preset for preferences, and no other set may use it. */
function presetFor(setId: string | null, sets: readonly TrainingSet[], preset: Preset): Preset {
  const isOfPairs = sets.find(({ id }) => id === setId)?.kind === "preference";
  if (isOfPairs) return "preference";
  return preset === "preference" ? EMPTY_FINETUNE.preset : preset;
}

/** Recorded tokens must be learnt by the base that they were recorded for. */
function baseFor(setId: string | null, sets: readonly TrainingSet[], base: string): string {
  return sets.find(({ id }) => id === setId)?.facts.base || base;
}

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
  const read = useMemo(() => readDraft(draft, options), [draft, options]);
  const request = "request" in read ? read.request : null;
  const { check, mayStart } = useChecked(request, finetuneCheckQuery);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (request === null || !mayStart) return;
        start.mutate(request, { onSuccess: ({ id }) => void navigate(`/training/${id}`) });
      }}
    >
      <Stack gap={12}>
        <TextInput
          label="Name"
          description="Name of the resulting adapter"
          data-autofocus
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
            error={problemAt(check.error, "training_set_id")}
            onChange={(setId) =>
              change({
                setId,
                base: baseFor(setId, sets, draft.base),
                preset: presetFor(setId, sets, draft.preset),
              })
            }
          />
        )}
        <BaseField
          bases={bases}
          value={draft.base}
          problem={problemAt(check.error, "base")}
          onChange={(base) => change({ base })}
        />
        <OptionFields
          draft={draft}
          onChange={change}
          options={options}
          presets={PRESETS}
          refusal={check.error}
        />
        {check.isError && <p role="alert">{describeError(check.error)}</p>}
        {start.isError && <p role="alert">{describeError(start.error)}</p>}
        <div className="ts-row">
          {"problem" in read && <span className="ts-dimmed">{read.problem}</span>}
          <Button type="submit" ml="auto" disabled={!mayStart} loading={start.isPending}>
            Start finetune
          </Button>
        </div>
      </Stack>
    </form>
  );
}
