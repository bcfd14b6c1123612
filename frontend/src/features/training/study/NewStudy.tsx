/** Starts a study: its size, who teaches, who learns, and what is asked. */
import {
  Button,
  Modal,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  TextInput,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useNavigate } from "react-router";

import { useChecked } from "@/api/checking";
import { describeError } from "@/api/client";
import { modelsQuery } from "@/api/models";
import { allOf } from "@/api/needed";
import { studyCheckQuery, studySizesQuery, useStartStudy } from "@/api/studies";
import { baseModelsQuery } from "@/api/training";
import type { BaseModel, Model, StudySettings } from "@/api/types";
import {
  COUNTS,
  EMPTY_STUDY,
  readStudy,
  type Size,
  type StudyDraft,
} from "@/features/training/study/studyDraft";
import { visibleText } from "@/lib/visibleText";
import { LoadedForm } from "@/ui/LoadedForm";

interface NewStudyProps {
  isOpen: boolean;
  onClose: () => void;
}

export function NewStudy({ isOpen, onClose }: NewStudyProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="New study" size={600}>
      <Loading />
    </Modal>
  );
}

function Loading() {
  const needed = allOf({
    sizes: useQuery(studySizesQuery()),
    models: useQuery(modelsQuery()),
    bases: useQuery(baseModelsQuery()),
  });
  return (
    <LoadedForm needed={needed} rows={6}>
      {({ sizes, models, bases }) => <StudyForm sizes={sizes} models={models} bases={bases} />}
    </LoadedForm>
  );
}

const SIZES: { value: Size; label: string; words: string }[] = [
  { value: "tiny", label: "Tiny", words: "Takes a minute; the student learns nothing." },
  { value: "small", label: "Small", words: "Takes an hour or more on two cores." },
  {
    value: "whole",
    label: "Whole",
    words: "About the paper's 13,000 continuations and 1,520 partial dialogues.",
  },
];

interface StudyFormProps {
  sizes: Readonly<Record<string, StudySettings>>;
  models: readonly Model[];
  bases: readonly BaseModel[];
}

function StudyForm({ sizes, models, bases }: StudyFormProps) {
  const [draft, setDraft] = useState(EMPTY_STUDY);
  const navigate = useNavigate();
  const start = useStartStudy();
  const change = (part: Partial<StudyDraft>) => setDraft({ ...draft, ...part });
  const usual = sizes[draft.size];
  const read = useMemo(
    () => (usual === undefined ? { problem: "Choose a size." } : readStudy(draft, usual)),
    [draft, usual],
  );
  const settings = "settings" in read ? read.settings : null;
  const { check, mayStart } = useChecked(settings, studyCheckQuery);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (settings === null || !mayStart) return;
        start.mutate(settings, {
          onSuccess: ({ id }) => void navigate(`/training/studies/${id}`),
        });
      }}
    >
      <Stack gap={12}>
        <p className="ts-hint">
          The form filler from nothing: dialogue trees, the teacher&apos;s good turns as lessons, a
          finetune of a small student, and an examination on companies it never saw.
        </p>
        <TextInput
          label="Name"
          description="Its batches, training set and adapter start with this name"
          data-autofocus
          maxLength={61}
          value={draft.name}
          onChange={({ currentTarget: { value: name } }) => change({ name })}
        />
        <div>
          <SegmentedControl
            aria-label="Size"
            data={SIZES.map(({ value, label }) => ({ value, label }))}
            value={draft.size}
            onChange={(size) => change({ size, counts: {} })}
          />
          <p className="ts-hint">{SIZES.find(({ value }) => value === draft.size)?.words}</p>
        </div>
        <Select
          label="Teacher"
          description="Talks to the users, and is paid for each turn"
          allowDeselect={false}
          searchable
          data={[
            { value: "", label: "Script, needs no key" },
            ...models.map(({ name }) => ({ value: name, label: visibleText(name) })),
          ]}
          value={draft.teacher}
          onChange={(teacher) => change({ teacher: teacher ?? "" })}
        />
        <Select
          label="Student"
          description="The base model that learns"
          allowDeselect={false}
          searchable
          data={[
            { value: "", label: "Tiny base, made for this if it is not there" },
            ...bases.map(({ name }) => ({ value: name, label: visibleText(name) })),
          ]}
          value={draft.student}
          onChange={(student) => change({ student: student ?? "" })}
        />
        <Select
          label="Examined on"
          allowDeselect={false}
          data={[
            { value: "test", label: "The test companies, in phrases of no lesson" },
            { value: "validation", label: "Other made-up companies, to choose settings by" },
          ]}
          value={draft.asked}
          onChange={(value) => change({ asked: value === "validation" ? "validation" : "test" })}
        />
        <CountFields draft={draft} usual={usual} onChange={change} />
        {check.isSuccess && (
          <ul className="ts-hint" aria-label="Forecast">
            {check.data.forecast.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
        {check.isError && <p role="alert">{describeError(check.error)}</p>}
        {start.isError && <p role="alert">{describeError(start.error)}</p>}
        <div className="ts-row">
          {"problem" in read && <span className="ts-dimmed">{read.problem}</span>}
          <Button type="submit" ml="auto" disabled={!mayStart} loading={start.isPending}>
            Start study
          </Button>
        </div>
      </Stack>
    </form>
  );
}

interface CountFieldsProps {
  draft: StudyDraft;
  usual: StudySettings | undefined;
  onChange: (part: Partial<StudyDraft>) => void;
}

function CountFields({ draft, usual, onChange }: CountFieldsProps) {
  return (
    <details>
      <summary className="ts-row ts-fold">More settings</summary>
      <div className="ts-fields">
        {COUNTS.map(({ name, label, title, min }) => (
          <NumberInput
            key={name}
            label={label}
            title={title}
            min={min}
            step={name === "base_width" ? min : 1}
            allowDecimal={false}
            value={draft.counts[name] ?? usual?.[name] ?? ""}
            onChange={(typed) => onChange({ counts: { ...draft.counts, [name]: typed } })}
          />
        ))}
        <NumberInput
          label="Teacher's mistakes"
          title="Share of the script's answers that have a mistake"
          suffix=" %"
          min={0}
          max={100}
          value={draft.mistakes}
          onChange={(mistakes) => onChange({ mistakes })}
        />
      </div>
    </details>
  );
}
