/** Starts a distillation: tasks, an agent, a teacher, a base, and the number of rounds. */
import { Button, Modal, NumberInput, Select, Stack, TextInput } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useNavigate } from "react-router";

import { agentsQuery } from "@/api/agents";
import { useChecked } from "@/api/checking";
import { describeError, problemAt } from "@/api/client";
import { distillationCheckQuery, useStartDistillation } from "@/api/distillations";
import { allOf } from "@/api/needed";
import { rowsOf } from "@/api/pages";
import {
  adaptersQuery,
  baseModelsQuery,
  finetuneOptionsQuery,
  type FinetuneOptions,
} from "@/api/training";
import type { Adapter, AgentRow, BaseModel } from "@/api/types";
import {
  ANSWER_PRESETS,
  describeMixing,
  EMPTY_DISTILLATION,
  readDistillation,
  type DistillationDraft,
} from "@/features/training/distillation/distillationDraft";
import { BaseField, OptionFields } from "@/features/training/OptionFields";
import { TapeQuery } from "@/features/training/TapeQuery";
import { TeacherSelect } from "@/features/training/TeacherFields";
import classes from "@/features/training/training.module.css";
import { newestVersionsOf, optionsOf } from "@/lib/options";
import { useAddress } from "@/lib/useAddress";
import { CountLimit, MoneyLimit } from "@/ui/LimitFields";
import { LoadedForm } from "@/ui/LoadedForm";

interface NewDistillationProps {
  isOpen: boolean;
  onClose: () => void;
}

export function NewDistillation({ isOpen, onClose }: NewDistillationProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="New distillation" size={600}>
      <Loading />
    </Modal>
  );
}

function Loading() {
  const [address] = useAddress();
  const needed = allOf({
    agents: useQuery(agentsQuery()),
    bases: useQuery(baseModelsQuery()),
    adapters: useInfiniteQuery(adaptersQuery()),
    options: useQuery(finetuneOptionsQuery()),
  });
  return (
    <LoadedForm needed={needed} rows={6}>
      {({ agents, bases, adapters, options }) => (
        <DistillationForm
          agents={agents}
          bases={bases}
          adapters={rowsOf(adapters)}
          options={options}
          first={{
            ...EMPTY_DISTILLATION,
            base: bases[0]?.name ?? "",
            query: address.get("q") ?? "",
            name: address.get("name") ?? "",
          }}
        />
      )}
    </LoadedForm>
  );
}

interface DistillationFormProps {
  agents: readonly AgentRow[];
  bases: readonly BaseModel[];
  adapters: readonly Adapter[];
  options: FinetuneOptions;
  first: DistillationDraft;
}

function DistillationForm({ agents, bases, adapters, options, first }: DistillationFormProps) {
  const [draft, setDraft] = useState(first);
  const navigate = useNavigate();
  const start = useStartDistillation();
  const change = (part: Partial<DistillationDraft>) => setDraft({ ...draft, ...part });
  const read = useMemo(() => readDistillation(draft, options), [draft, options]);
  const request = "request" in read ? read.request : null;
  const { check, mayStart } = useChecked(request, distillationCheckQuery);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (request === null || !mayStart) return;
        start.mutate(request, {
          onSuccess: ({ id }) => void navigate(`/training/distillations/${id}`),
        });
      }}
    >
      <Stack gap={12}>
        <p className="ts-hint">
          In each round the student runs the tasks, the teacher labels every state the student
          reached, the labels are added to the training set, and the base model is finetuned on it
          again.
        </p>
        <TextInput
          label="Name"
          description="Its batches, sets and adapters start with this name"
          data-autofocus
          maxLength={100}
          value={draft.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <TapeQuery
          label="Tasks"
          description="A query, as on the Tapes page, such as dataset:math-train"
          query={draft.query}
          problem={problemAt(check.error, "q")}
          onChange={(query) => change({ query })}
        />
        <Select
          label="Agent"
          description="Its newest version runs the tasks"
          searchable
          allowDeselect={false}
          data={newestVersionsOf(agents)}
          value={draft.agentVersionId}
          onChange={(agentVersionId) => change({ agentVersionId })}
        />
        <TeacherSelect value={draft.teacherId} onChange={(teacherId) => change({ teacherId })} />
        <FirstStudent
          adapters={adapters}
          value={draft.adapterId}
          onChange={(adapterId) => change({ adapterId })}
        />
        <RoundFields draft={draft} onChange={change} />
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
          presets={ANSWER_PRESETS}
          refusal={check.error}
        />
        {check.isError && <p role="alert">{describeError(check.error)}</p>}
        {start.isError && <p role="alert">{describeError(start.error)}</p>}
        <div className="ts-row">
          {"problem" in read && <span className="ts-dimmed">{read.problem}</span>}
          <Button type="submit" ml="auto" disabled={!mayStart} loading={start.isPending}>
            Start distillation
          </Button>
        </div>
      </Stack>
    </form>
  );
}

const NOBODY = "";

interface FirstStudentProps {
  adapters: readonly Adapter[];
  value: string | null;
  onChange: (adapterId: string | null) => void;
}

function FirstStudent({ adapters, value, onChange }: FirstStudentProps) {
  return (
    <Select
      label="First student"
      description="It runs the first round, and its training set is added"
      searchable
      allowDeselect={false}
      data={[
        { value: NOBODY, label: "None: the teacher runs the first round" },
        ...optionsOf(adapters),
      ]}
      value={value ?? NOBODY}
      onChange={(chosen) => onChange(chosen === NOBODY ? null : chosen)}
    />
  );
}

interface RoundFieldsProps {
  draft: DistillationDraft;
  onChange: (part: Partial<DistillationDraft>) => void;
}

function RoundFields({ draft, onChange }: RoundFieldsProps) {
  return (
    <fieldset>
      <legend className="ts-hint">Rounds and budget</legend>
      <div className="ts-fields">
        <NumberInput
          label="Rounds"
          min={1}
          max={20}
          allowDecimal={false}
          value={draft.rounds}
          onChange={(rounds) => onChange({ rounds })}
        />
        <NumberInput
          label="Mixing"
          title="Share of tasks the teacher runs in round 2; squared in round 3"
          suffix=" %"
          min={0}
          max={100}
          value={draft.mixing}
          onChange={(mixing) => onChange({ mixing })}
        />
        <NumberInput
          label="Held out"
          title="Share of tasks kept for measuring; a task is never split between the two parts"
          suffix=" %"
          min={0}
          max={90}
          value={draft.heldOut}
          onChange={(heldOut) => onChange({ heldOut })}
        />
        <NumberInput
          label="Max turns"
          title="Per run, because a student may loop"
          min={1}
          max={1000}
          allowDecimal={false}
          value={draft.turns}
          onChange={(turns) => onChange({ turns })}
        />
        <CountLimit
          what="Labels"
          title="Teacher answers over all rounds. The round that uses up the budget is the last one"
          value={draft.labels}
          onChange={(labels) => onChange({ labels })}
        />
        <MoneyLimit
          title="What the teacher may cost over all rounds"
          value={draft.dollars}
          onChange={(dollars) => onChange({ dollars })}
        />
      </div>
      <p className={`ts-hint ${classes.below}`}>{describeMixing(draft)}</p>
    </fieldset>
  );
}
