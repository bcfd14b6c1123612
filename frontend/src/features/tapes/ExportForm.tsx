/** The options of an export: a form that starts a job. */
import { Button, Radio, Select, Stack, Switch } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { describeError } from "@/api/client";
import { startExport } from "@/api/exports";
import { ALL_TAPES } from "@/api/tags";
import type { TapeFilter } from "@/api/tapes";
import type { ExportRequest } from "@/api/types";
import { useLens } from "@/features/tapes/lenses/useLens";
import { exportedColumns } from "@/features/tapes/table/exportedColumns";

export interface ExportTarget {
  /** What is exported, in words: "3 tapes". */
  words: string;
  conditions: TapeFilter | { tape_ids: string[] };
}

type Format = ExportRequest["format"];
type Split = NonNullable<ExportRequest["split"]>;

const FORMATS: { value: Format; label: string; description: string }[] = [
  {
    value: "tapeagents",
    label: "TapeAgents files",
    description: "A zip with LLM calls that can be imported again",
  },
  { value: "openai", label: "OpenAI chat", description: "JSONL with messages and tools" },
  { value: "sharegpt", label: "ShareGPT", description: "JSONL with conversations and tools" },
  { value: "preferences", label: "Preference pairs", description: "JSONL: chosen and rejected" },
  { value: "csv", label: "CSV", description: "The table, one row per tape" },
  { value: "parquet", label: "Parquet", description: "The table, with typed columns" },
];

const FOR_TRAINING: ReadonlySet<Format> = new Set<Format>(["openai", "sharegpt", "preferences"]);

const SPLITS: { value: Split; label: string }[] = [
  { value: "train", label: "Train and tapes without a split" },
  { value: "validation", label: "Validation" },
  { value: "test", label: "Test" },
];

interface ExportFormProps {
  target: ExportTarget;
  onStarted: (jobId: string) => void;
}

export function ExportForm({ target, onStarted }: ExportFormProps) {
  const [format, setFormat] = useState<Format>("openai");
  const [split, setSplit] = useState<Split>("train");
  const [hasAnnotations, setAnnotations] = useState(false);
  const [isAsShown, setAsShown] = useState(true);
  const { look } = useLens();
  const isTable = format === "csv" || format === "parquet";
  const start = useMutation({ mutationFn: startExport, onSuccess: ({ id }) => onStarted(id) });
  return (
    <Stack gap={12}>
      <Radio.Group
        label="Format"
        value={format}
        onChange={(value) => setFormat(FORMATS.find((one) => one.value === value)?.value ?? format)}
      >
        <Stack gap={8} mt={8}>
          {FORMATS.map(({ value, label, description }) => (
            <Radio key={value} value={value} label={label} description={description} />
          ))}
        </Stack>
      </Radio.Group>
      {FOR_TRAINING.has(format) && (
        <Select
          label="Split"
          description="Tapes excluded from training are omitted"
          allowDeselect={false}
          data={SPLITS}
          value={split}
          onChange={(value) => setSplit(SPLITS.find((one) => one.value === value)?.value ?? split)}
        />
      )}
      {isTable && (
        <Switch
          label="Only the columns shown in the table, in its order"
          checked={isAsShown}
          onChange={(event) => setAsShown(event.currentTarget.checked)}
        />
      )}
      <Switch
        label="With annotations"
        checked={hasAnnotations}
        onChange={(event) => setAnnotations(event.currentTarget.checked)}
      />
      {start.isError && <p role="alert">{describeError(start.error)}</p>}
      <Button
        loading={start.isPending}
        onClick={() =>
          start.mutate({
            ...ALL_TAPES,
            ...target.conditions,
            format,
            split,
            with_annotations: hasAnnotations,
            ...(isTable && isAsShown && { columns: exportedColumns(look.columns) }),
          })
        }
      >
        Start export
      </Button>
    </Stack>
  );
}
