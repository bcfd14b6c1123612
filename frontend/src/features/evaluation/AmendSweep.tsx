/** Adds to a sweep: agents, models, attempts, tasks or budget; existing runs are kept and used. */
import { Button, Modal, NumberInput, Select, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { agentsQuery } from "@/api/agents";
import { describeError } from "@/api/client";
import { modelsQuery } from "@/api/models";
import { useAmendSweep } from "@/api/sweeps";
import type { Sweep, SweepAmendment } from "@/api/types";
import { AmendmentForecast } from "@/features/evaluation/SweepForecast";
import { OWN_MODEL, readSeeds } from "@/features/evaluation/sweepDraft";
import { TapeQuery } from "@/features/training/TapeQuery";
import { minutes, secondsOf } from "@/lib/limits";
import { dollars, microDollars } from "@/lib/money";
import { versionsOf, optionsOf } from "@/lib/options";
import { numberOf, type Typed } from "@/lib/typed";
import { visibleText } from "@/lib/visibleText";
import { CountLimit, MinutesLimit, MoneyLimit } from "@/ui/LimitFields";

interface AmendSweepProps {
  sweep: Sweep;
  isOpen: boolean;
  onClose: () => void;
}

export function AmendSweep({ sweep, isOpen, onClose }: AmendSweepProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Add to ${visibleText(sweep.name)}`} size={560}>
      <AmendForm sweep={sweep} onClose={onClose} />
    </Modal>
  );
}

interface Draft {
  agent: string | null;
  model: string;
  seeds: string;
  repeats: Typed;
  query: string;
  dollars: Typed;
  calls: Typed;
  minutes: Typed;
}

function AmendForm({ sweep, onClose }: Omit<AmendSweepProps, "isOpen">) {
  const { micro_usd: money, calls, seconds } = sweep.budget;
  const first: Draft = {
    agent: null,
    model: OWN_MODEL,
    seeds: "",
    repeats: 0,
    query: "",
    dollars: dollars(money) ?? "",
    calls: calls ?? "",
    minutes: minutes(seconds) ?? "",
  };
  const [draft, setDraft] = useState(first);
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const amend = useAmendSweep(sweep.job_id);
  const read = readAmendment(draft, first, sweep);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if ("problem" in read) return;
        amend.mutate(read.amendment, { onSuccess: onClose });
      }}
    >
      <Stack gap={12}>
        <p className="ts-hint">
          Only new runs are started. With a larger budget, runs that the old one stopped are tried
          again.
        </p>
        <VariantFields draft={draft} onChange={change} />
        <TapeQuery
          label="More tasks"
          description="A query; tasks that the sweep already has stay as they are. Leave empty to add none"
          query={draft.query}
          onChange={(query) => change({ query })}
        />
        <div className="ts-fields">
          <TextInput
            label="More seeds"
            placeholder="None"
            value={draft.seeds}
            onChange={({ currentTarget }) => change({ seeds: currentTarget.value })}
          />
          <NumberInput
            label="More repeats"
            title="Attempts without a seed"
            min={0}
            max={100}
            allowDecimal={false}
            value={draft.repeats}
            onChange={(repeats) => change({ repeats })}
          />
          <MoneyLimit value={draft.dollars} onChange={(most) => change({ dollars: most })} />
          <CountLimit
            what="Calls"
            value={draft.calls}
            onChange={(most) => change({ calls: most })}
          />
          <MinutesLimit value={draft.minutes} onChange={(most) => change({ minutes: most })} />
        </div>
        {"amendment" in read && (
          <AmendmentForecast jobId={sweep.job_id} amendment={read.amendment} />
        )}
        {amend.isError && <p role="alert">{describeError(amend.error)}</p>}
        <div className="ts-row">
          {"problem" in read && <span className="ts-dimmed">{read.problem}</span>}
          <Button type="submit" ml="auto" disabled={"problem" in read} loading={amend.isPending}>
            Add and run
          </Button>
        </div>
      </Stack>
    </form>
  );
}

interface VariantFieldsProps {
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
}

function VariantFields({ draft, onChange }: VariantFieldsProps) {
  const agents = useQuery(agentsQuery());
  const models = useQuery(modelsQuery());
  return (
    <div className="ts-fields">
      <Select
        label="Another agent"
        placeholder="None"
        clearable
        searchable
        data={versionsOf(agents.data ?? [])}
        value={draft.agent}
        onChange={(agent) => onChange({ agent })}
      />
      <Select
        label="With the model"
        allowDeselect={false}
        searchable
        disabled={draft.agent === null}
        data={[{ value: OWN_MODEL, label: "Agent default" }, ...optionsOf(models.data ?? [])]}
        value={draft.model}
        onChange={(model) => onChange({ model: model ?? OWN_MODEL })}
      />
    </div>
  );
}

/** The additions in the form, or why they cannot be sent. */
function readAmendment(
  draft: Draft,
  first: Draft,
  sweep: Sweep,
): { amendment: Partial<SweepAmendment> } | { problem: string } {
  const seeds = readSeeds(draft.seeds);
  if (seeds === null) return { problem: "Enter seeds as numbers, such as 1, 2, 3." };
  const limits = ["dollars", "calls", "minutes"] as const;
  const isBudgetNew = limits.some((name) => draft[name] !== first[name]);
  const amendment: Partial<SweepAmendment> = {
    ...(draft.agent !== null && {
      variants: [
        {
          agent_version_id: draft.agent,
          model_id: draft.model === OWN_MODEL ? null : draft.model,
        },
      ],
    }),
    ...(seeds.length > 0 && { seeds }),
    ...(typeof draft.repeats === "number" && draft.repeats > 0 && { repeats: draft.repeats }),
    ...(draft.query.trim() !== "" && { tasks: { q: draft.query.trim() } }),
    ...(isBudgetNew && {
      retry: true,
      budget: {
        ...sweep.budget,
        micro_usd: microDollars(numberOf(draft.dollars)),
        calls: numberOf(draft.calls),
        seconds: secondsOf(numberOf(draft.minutes)),
      },
    }),
  };
  return Object.keys(amendment).length === 0 ? { problem: "Nothing is added yet." } : { amendment };
}
