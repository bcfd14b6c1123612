/** The form of a training set: which tapes, which examples from them, how many are held out. */
import { Button, NumberInput, Radio, Select, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "react-router";
import * as v from "valibot";

import type { TrainingSetRequest } from "@/api/types";
import { MixtureFields } from "@/features/training/MixtureFields";
import { RecordedTokens } from "@/features/training/RecordedTokens";
import { RewardFields } from "@/features/training/RewardFields";
import {
  beginSet,
  readSet,
  SOURCES,
  takesTokens,
  WRITERS,
  type SetDraft,
} from "@/features/training/setDraft";
import { StepFields } from "@/features/training/StepFields";
import { TapeQuery } from "@/features/training/TapeQuery";
import { TeacherFields } from "@/features/training/TeacherFields";
import { countOf } from "@/lib/format";
import { useAddress } from "@/lib/useAddress";

const chosenTapes = v.object({ tapeIds: v.pipe(v.array(v.string()), v.minLength(1)) });

interface SetFormProps {
  onSubmit: (request: TrainingSetRequest) => void;
  isPending: boolean;
  refusal: string | null;
}

export function SetForm({ onSubmit, isPending, refusal }: SetFormProps) {
  const [address] = useAddress();
  const parsed = v.safeParse(chosenTapes, useLocation().state);
  const tapeIds = parsed.success ? parsed.output.tapeIds : null;
  const [draft, setDraft] = useState(() => beginSet(address, tapeIds));
  const change = (part: Partial<SetDraft>) => setDraft({ ...draft, ...part });
  const request = readSet(draft, tapeIds);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (request !== null) onSubmit(request);
      }}
    >
      <Stack gap={12}>
        <Tapes draft={draft} onChange={change} tapeIds={tapeIds} />
        <TextInput
          label="Name"
          data-autofocus
          maxLength={200}
          value={draft.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <Radio.Group
          label="Examples"
          value={draft.source}
          onChange={(value) =>
            change({ source: SOURCES.find((one) => one.value === value)?.value ?? draft.source })
          }
        >
          <Stack gap={8} mt={8}>
            {SOURCES.map(({ value, label, description }) => (
              <Radio key={value} value={value} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
        <SourceFields draft={draft} onChange={change} />
        {refusal !== null && <p role="alert">{refusal}</p>}
        <Button type="submit" disabled={request === null} loading={isPending}>
          Create training set
        </Button>
      </Stack>
    </form>
  );
}

export interface DraftProps {
  draft: SetDraft;
  onChange: (part: Partial<SetDraft>) => void;
}

function Tapes({
  draft: { source, query },
  onChange,
  tapeIds,
}: DraftProps & { tapeIds: readonly string[] | null }) {
  if (source === "mixture") return <p>Chosen in the sets below.</p>;
  if (tapeIds !== null) return <p>{countOf(tapeIds.length, "tape")} chosen in the list.</p>;
  return <TapeQuery query={query} onChange={(changed) => onChange({ query: changed })} />;
}

/** The fields that only some kinds of examples need. */
function SourceFields({ draft, onChange }: DraftProps) {
  const { source } = draft;
  if (source === "mixture") return <MixtureFields draft={draft} onChange={onChange} />;
  return (
    <>
      {takesTokens(source) && (
        <RecordedTokens base={draft.base} onChange={(base) => onChange({ base })} />
      )}
      {source === "groups" && <RewardFields draft={draft} onChange={onChange} />}
      {source === "rebuilt" && (
        <Select
          label="Answers"
          allowDeselect={false}
          data={WRITERS}
          value={draft.writer}
          onChange={(value) =>
            onChange({ writer: WRITERS.find((one) => one.value === value)?.value ?? draft.writer })
          }
        />
      )}
      {source === "relabeled" && <TeacherFields choice={draft} onChange={onChange} />}
      <StepFields draft={draft} onChange={onChange} />
      <NumberInput
        label="Held out"
        description="Share of tasks kept for measuring; a task is never split between the two parts"
        suffix=" %"
        min={0}
        max={90}
        value={draft.percent}
        onChange={(percent) => onChange({ percent })}
      />
    </>
  );
}
