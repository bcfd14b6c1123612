/** Maps columns to their meanings, previews the first rows, and starts the import. */
import { Button, MultiSelect, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { describeError } from "@/api/client";
import { previewQuery, useImportExamples } from "@/api/exampleFiles";
import type { ExampleFile } from "@/api/types";
import classes from "@/features/datasets/datasets.module.css";
import { ExampleTable } from "@/features/datasets/ExampleTable";
import {
  firstMapping,
  type MappingDraft,
  nameOf,
  readMapping,
  SPLITS,
} from "@/features/datasets/mappingDraft";
import { visibleText } from "@/lib/visibleText";

interface MappingFormProps {
  file: ExampleFile;
  onStarted: (jobId: string) => void;
  onAgain: () => void;
}

export function MappingForm({ file, onStarted, onAgain }: MappingFormProps) {
  const [draft, setDraft] = useState(() => firstMapping(file));
  const [dataset, setDataset] = useState(() => nameOf(file));
  const change = (part: Partial<MappingDraft>) => setDraft({ ...draft, ...part });
  const mapping = readMapping(draft);
  const preview = useQuery(previewQuery(file.id, mapping));
  const start = useImportExamples(file.id);
  const problem =
    mapping === null
      ? "Choose the column that holds the message."
      : dataset.trim() === ""
        ? "Name the dataset."
        : "";
  return (
    <form
      noValidate
      aria-label="Columns"
      onSubmit={(event) => {
        event.preventDefault();
        if (mapping === null || problem !== "") return;
        start.mutate(
          { dataset: dataset.trim(), mapping },
          { onSuccess: ({ id }) => onStarted(id) },
        );
      }}
    >
      <section className="ts-section ts-stack" aria-label="Columns">
        <div className={`ts-row ${classes.fileLine}`}>
          <strong>{visibleText(file.name)}</strong>
          <Button variant="default" onClick={onAgain}>
            Another file
          </Button>
        </div>
        <ColumnFields file={file} draft={draft} onChange={change} />
        <div className={`ts-row ${classes.importLine}`}>
          <TextInput
            label="Dataset"
            description="Created if there is none of this name"
            w={320}
            maxLength={200}
            value={dataset}
            onChange={({ currentTarget }) => setDataset(currentTarget.value)}
          />
          <Button type="submit" disabled={problem !== ""} loading={start.isPending}>
            Create examples
          </Button>
          <span className="ts-dimmed">{problem}</span>
        </div>
        {start.isError && <p role="alert">{describeError(start.error)}</p>}
      </section>
      <section className="ts-section ts-stack" aria-label="Preview">
        {preview.isError && <p role="alert">{describeError(preview.error)}</p>}
        {preview.data !== undefined && mapping !== null && <ExampleTable preview={preview.data} />}
      </section>
    </form>
  );
}

type ColumnPart = "message" | "expected" | "id" | "task" | "split" | "check" | "state" | "attack";

interface ColumnFieldsProps {
  file: ExampleFile;
  draft: MappingDraft;
  onChange: (part: Partial<MappingDraft>) => void;
}

function ColumnFields({ file, draft, onChange }: ColumnFieldsProps) {
  const columns = file.columns.map(({ name, first }) => ({
    value: name,
    label: visibleText(name),
    first: visibleText(first),
  }));
  const field = (part: ColumnPart, label: string) => (
    <Select
      label={label}
      placeholder="None"
      clearable={part !== "message"}
      searchable
      data={columns}
      value={draft[part]}
      onChange={(chosen) => onChange({ [part]: chosen })}
      renderOption={({ option }) => (
        <span className="ts-stack" style={{ gap: 0 }}>
          <span>{option.label}</span>
          <span className="ts-caption ts-dimmed ts-truncate">
            {columns.find(({ value }) => value === option.value)?.first}
          </span>
        </span>
      )}
    />
  );
  return (
    <div className={classes.columns}>
      {field("message", "Message")}
      {field("expected", "Expected answer")}
      {field("id", "Id")}
      {field("task", "Task")}
      {field("split", "Split")}
      {field("check", "Checkpoints or check")}
      {field("state", "Environment state")}
      {field("attack", "Attack")}
      <Select
        label="Default split"
        allowDeselect={false}
        data={[...SPLITS]}
        value={draft.allIn}
        onChange={(chosen) =>
          onChange({ allIn: SPLITS.find(({ value }) => value === chosen)?.value ?? "" })
        }
      />
      <MultiSelect
        label="Metadata"
        placeholder={draft.metadata.length === 0 ? "Nothing" : ""}
        searchable
        data={columns}
        value={draft.metadata}
        onChange={(metadata) => onChange({ metadata })}
      />
    </div>
  );
}
