/** Makes a training set of the tapes that were chosen in their list, or of those of a query. */
import { Button, Modal, NumberInput, Radio, Select, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "react-router";
import * as v from "valibot";

import { describeError } from "@/api/client";
import { tapeCountQuery } from "@/api/tags";
import { readMadeSet, useMakeSet, type MadeSet } from "@/api/training";
import type { TrainingSetRequest } from "@/api/types";
import { useFollowedJob } from "@/api/useFollowedJob";
import { LeftOut } from "@/features/training/LeftOut";
import { TeacherFields, type TeacherChoice } from "@/features/training/TeacherFields";
import { countOf } from "@/lib/format";
import { useAddress } from "@/lib/useAddress";
import { visibleText } from "@/lib/visibleText";
import { FollowedJob } from "@/ui/FollowedJob";

interface NewSetProps {
  isOpen: boolean;
  onClose: () => void;
}

export function NewSet({ isOpen, onClose }: NewSetProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="New training set" size={560}>
      <Making />
    </Modal>
  );
}

function Making() {
  const make = useMakeSet();
  if (make.data !== undefined) {
    return <SetJob jobId={make.data.id} />;
  }
  return (
    <SetForm
      onSubmit={make.mutate}
      isPending={make.isPending}
      refusal={make.isError ? describeError(make.error) : null}
    />
  );
}

function SetJob({ jobId }: { jobId: string }) {
  return (
    <FollowedJob
      followed={useFollowedJob(jobId)}
      what="training set"
      note="You can leave this page; it goes on."
      cancelled="The training set was canceled."
      result={({ result }) => {
        const made = readMadeSet(result);
        return made === null ? null : <Made made={made} />;
      }}
    />
  );
}

const chosenTapes = v.object({ tapeIds: v.pipe(v.array(v.string()), v.minLength(1)) });

const SOURCES: { value: TrainingSetRequest["source"]; label: string; description: string }[] = [
  {
    value: "recorded",
    label: "Recorded",
    description: "LLM calls as they were; calls whose answer a person changed are left out",
  },
  {
    value: "rebuilt",
    label: "Rebuilt",
    description: "Calls made anew by the tape's agent, so that edited steps are learnt",
  },
  {
    value: "edits",
    label: "Preference pairs",
    description: "What a person wrote in an edit, preferred to what the model had answered",
  },
  {
    value: "relabeled",
    label: "Relabeled by a teacher",
    description: "What a teacher answers in the states that a student came to in its own tapes",
  },
];

const WRITERS: { value: NonNullable<TrainingSetRequest["writer"]>; label: string }[] = [
  { value: "anyone", label: "Of anyone" },
  { value: "person", label: "That a person wrote" },
  { value: "model", label: "That a model wrote" },
];

const NO_TEACHER: TeacherChoice = { teacherId: null, joined: [] };

interface SetFormProps {
  onSubmit: (request: TrainingSetRequest) => void;
  isPending: boolean;
  refusal: string | null;
}

function SetForm({ onSubmit, isPending, refusal }: SetFormProps) {
  const [address] = useAddress();
  const parsed = v.safeParse(chosenTapes, useLocation().state);
  const tapeIds = parsed.success ? parsed.output.tapeIds : null;
  const [name, setName] = useState(address.get("name") ?? "");
  const [query, setQuery] = useState(address.get("q") ?? "");
  const [source, setSource] = useState<TrainingSetRequest["source"]>(
    SOURCES.find(({ value }) => value === address.get("source"))?.value ?? "recorded",
  );
  const [writer, setWriter] = useState<TrainingSetRequest["writer"]>(
    WRITERS.find(({ value }) => value === address.get("writer"))?.value ?? "anyone",
  );
  const [teacher, setTeacher] = useState(NO_TEACHER);
  // One tape is one task: held out by chance, nothing would be left to learn.
  const [percent, setPercent] = useState<number | string>(tapeIds?.length === 1 ? 0 : 10);
  const isReady = name.trim() !== "" && typeof percent === "number";
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady) return;
        const selection = tapeIds === null ? { q: query } : { q: "", tape_ids: tapeIds };
        const { teacherId, joined } = source === "relabeled" ? teacher : NO_TEACHER;
        const chosen = {
          source,
          writer: source === "rebuilt" ? writer : ("anyone" as const),
          joined,
          ...(teacherId !== null && { teacher_id: teacherId }),
        };
        const request = { name: name.trim(), held_out_share: percent / 100, seed: 0 };
        onSubmit({ ...selection, ...chosen, ...request });
      }}
    >
      <Stack gap={12}>
        {tapeIds === null ? (
          <TapeQuery query={query} onChange={setQuery} />
        ) : (
          <p>{countOf(tapeIds.length, "tape")} chosen in the list.</p>
        )}
        <TextInput
          label="Name"
          data-autofocus
          maxLength={200}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Radio.Group
          label="Examples"
          value={source}
          onChange={(value) =>
            setSource(SOURCES.find((one) => one.value === value)?.value ?? source)
          }
        >
          <Stack gap={8} mt={8}>
            {SOURCES.map(({ value, label, description }) => (
              <Radio key={value} value={value} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
        {source === "rebuilt" && (
          <Select
            label="Answers"
            allowDeselect={false}
            data={WRITERS}
            value={writer}
            onChange={(value) =>
              setWriter(WRITERS.find((one) => one.value === value)?.value ?? writer)
            }
          />
        )}
        {source === "relabeled" && <TeacherFields choice={teacher} onChange={setTeacher} />}
        <NumberInput
          label="Held out"
          description="Share of the tasks to measure with; tasks are split whole"
          suffix=" %"
          min={0}
          max={90}
          value={percent}
          onChange={setPercent}
        />
        {refusal !== null && <p role="alert">{refusal}</p>}
        <Button type="submit" disabled={!isReady} loading={isPending}>
          Make training set
        </Button>
      </Stack>
    </form>
  );
}

function TapeQuery({ query, onChange }: { query: string; onChange: (query: string) => void }) {
  const count = useQuery(tapeCountQuery({ q: query }));
  return (
    <TextInput
      label="Tapes"
      description="A query as in the list of tapes, such as dataset:good outcome:success; empty for all"
      value={query}
      error={count.isError && describeError(count.error)}
      rightSectionWidth={88}
      rightSection={
        count.data !== undefined && (
          <span className="ts-hint ts-number">{countOf(count.data, "tape")}</span>
        )
      }
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function Made({ made }: { made: MadeSet }) {
  const id = made.training_set_id;
  return (
    <>
      <p>
        {countOf(made.train_count, "example")} to learn and{" "}
        {countOf(made.held_out_count, "example")} held out, from {countOf(made.tapes, "tape")}.
      </p>
      <LeftOut reasons={made.left_out} />
      {Object.entries(made.examples_left_out).map(([why, count]) => (
        <p key={why} className="ts-dimmed">
          {countOf(count, "LLM call")} left out: {visibleText(why)}
        </p>
      ))}
      <div className="ts-row">
        <Button component={Link} to={`/training?new=finetune&set=${id}`}>
          Finetune with it
        </Button>
        <Button component={Link} to={`/training/sets/${id}`} variant="default">
          Show the examples
        </Button>
      </div>
    </>
  );
}
