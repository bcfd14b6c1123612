/** Starts a sweep: tasks, agents, models, and the number of attempts. */
import { Button, Modal, MultiSelect, NumberInput, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useNavigate } from "react-router";

import { agentsQuery } from "@/api/agents";
import { describeError, problemAt } from "@/api/client";
import { datasetNamesQuery } from "@/api/datasets";
import { scorersQuery } from "@/api/datasetVersions";
import { modelsQuery } from "@/api/models";
import { allOf } from "@/api/needed";
import { useStartSweep } from "@/api/sweeps";
import { tapeCountQuery } from "@/api/tags";
import type { AgentRow, DatasetScorer, Model } from "@/api/types";
import { datasetOf } from "@/features/evaluation/scorerDraft";
import { Forecast, useSweepForecast } from "@/features/evaluation/SweepForecast";
import { ScorerFields } from "@/features/evaluation/ScorerFields";
import {
  describeSize,
  EMPTY_SWEEP,
  OWN_MODEL,
  readSweep,
  type SweepDraft,
} from "@/features/evaluation/sweepDraft";
import { TapeQuery } from "@/features/training/TapeQuery";
import { versionsOf, optionsOf } from "@/lib/options";
import { useAddress } from "@/lib/useAddress";
import { CountLimit, MinutesLimit, MoneyLimit } from "@/ui/LimitFields";
import { LoadedForm } from "@/ui/LoadedForm";

interface NewSweepProps {
  isOpen: boolean;
  onClose: () => void;
}

export function NewSweep({ isOpen, onClose }: NewSweepProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="New sweep" size={600}>
      <Loading />
    </Modal>
  );
}

function Loading() {
  const [address] = useAddress();
  const needed = allOf({ agents: useQuery(agentsQuery()), models: useQuery(modelsQuery()) });
  const first = {
    ...EMPTY_SWEEP,
    query: address.get("q") ?? "",
    name: address.get("name") ?? "",
    agents: address.get("agents")?.split(",") ?? EMPTY_SWEEP.agents,
  };
  const asked = address.get("model");
  return (
    <LoadedForm needed={needed} rows={6}>
      {({ agents, models }) => {
        const isThere = asked !== null && models.some(({ id }) => id === asked);
        const chosen = isThere ? [...first.models, asked] : first.models;
        return <SweepForm agents={agents} models={models} first={{ ...first, models: chosen }} />;
      }}
    </LoadedForm>
  );
}

const NO_TASKS = "No tape matches, so there is no task to run. Choose another query.";
const NONE: readonly DatasetScorer[] = [];

interface SweepFormProps {
  agents: readonly AgentRow[];
  models: readonly Model[];
  first: SweepDraft;
}

function SweepForm({ agents, models, first }: SweepFormProps) {
  const [draft, setDraft] = useState(first);
  const navigate = useNavigate();
  const start = useStartSweep();
  const tasks = useQuery(tapeCountQuery({ q: draft.query }));
  const change = (part: Partial<SweepDraft>) => setDraft({ ...draft, ...part });
  const names = useQuery(datasetNamesQuery());
  const kept = useQuery(scorersQuery(datasetOf(draft.query, names.data ?? []))).data ?? NONE;
  const read = useMemo(() => readSweep(draft, kept), [draft, kept]);
  const { found, mayStart } = useSweepForecast("request" in read ? read.request : null);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if ("problem" in read || !mayStart) return;
        start.mutate(read.request, {
          onSuccess: ({ id }) => void navigate(`/evaluation/${id}`),
        });
      }}
    >
      <Stack gap={12}>
        <p className="ts-hint">
          Every agent is run with every model on every task. Runs that fail, or that the budget
          stops, are missing and never count as wrong.
        </p>
        <TextInput
          label="Name"
          description="Its batch names start with this name"
          data-autofocus
          maxLength={200}
          value={draft.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <TapeQuery
          label="Tasks"
          description="A query as in the list of tapes, such as dataset:math-test, or dataset:math-test@2 for an older version"
          query={draft.query}
          problem={
            tasks.data === 0 && draft.query.trim() !== "" ? NO_TASKS : problemAt(found.error, "q")
          }
          onChange={(query) => change({ query })}
        />
        <MultiSelect
          label="Agents"
          description="The first one is the baseline"
          searchable
          data={versionsOf(agents)}
          value={draft.agents}
          onChange={(chosen) => change({ agents: chosen })}
        />
        <MultiSelect
          label="Models"
          description="It replaces every LLM of the agent"
          searchable
          data={[{ value: OWN_MODEL, label: "Agent default" }, ...optionsOf(models)]}
          value={draft.models}
          onChange={(chosen) => change({ models: chosen })}
        />
        <ScorerFields
          draft={draft.scorer}
          onChange={(scorer) => change({ scorer })}
          kept={kept}
          models={models}
          withOutcome
        />
        <AttemptFields
          draft={draft}
          onChange={change}
          moneyProblem={problemAt(found.error, "budget.micro_usd")}
        />
        {"request" in read && <Forecast found={found} />}
        {start.isError && <p role="alert">{describeError(start.error)}</p>}
        <div className="ts-row">
          <span className="ts-dimmed ts-number">
            {"problem" in read ? read.problem : describeSize(draft, tasks.data)}
          </span>
          <Button type="submit" ml="auto" disabled={!mayStart} loading={start.isPending}>
            Start sweep
          </Button>
        </div>
      </Stack>
    </form>
  );
}

interface AttemptFieldsProps {
  draft: SweepDraft;
  onChange: (part: Partial<SweepDraft>) => void;
  /** Why the limit in money cannot be kept. */
  moneyProblem: string | undefined;
}

function AttemptFields({ draft, onChange, moneyProblem }: AttemptFieldsProps) {
  return (
    <fieldset>
      <legend className="ts-hint">Repeats and budget</legend>
      <div className="ts-fields">
        <TextInput
          label="Seeds"
          title="Each seed is one attempt at every task, and is sent as the parameter seed"
          placeholder="No seed"
          value={draft.seeds}
          onChange={({ currentTarget }) => onChange({ seeds: currentTarget.value })}
        />
        <NumberInput
          label="Repeats"
          title="Per seed, or per task where no seed is sent"
          min={1}
          max={100}
          allowDecimal={false}
          value={draft.repeats}
          onChange={(repeats) => onChange({ repeats })}
        />
        <NumberInput
          label="Max turns"
          title="Of each run"
          min={1}
          max={1000}
          allowDecimal={false}
          value={draft.turns}
          onChange={(turns) => onChange({ turns })}
        />
        <MoneyLimit
          title="For all runs together; runs beyond it are missing"
          value={draft.dollars}
          error={moneyProblem}
          onChange={(dollars) => onChange({ dollars })}
        />
        <CountLimit
          what="Calls"
          title="LLM calls of all runs together"
          value={draft.calls}
          onChange={(calls) => onChange({ calls })}
        />
        <MinutesLimit
          title="Time that workers spend on it; then its running attempts are stopped"
          value={draft.minutes}
          onChange={(minutes) => onChange({ minutes })}
        />
      </div>
    </fieldset>
  );
}
