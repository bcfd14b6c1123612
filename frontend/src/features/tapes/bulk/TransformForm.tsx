import { Button, Group, Select, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { describeError } from "@/api/client";
import { previewTransform, startTransform } from "@/api/transforms";
import type { Transform } from "@/api/types";
import type { Chosen } from "@/features/tapes/bulk/chosen";
import {
  EMPTY_DRAFT,
  readDraft,
  type TransformDraft,
  type TransformKind,
} from "@/features/tapes/bulk/transformDraft";
import { TransformFields } from "@/features/tapes/bulk/TransformFields";
import { TransformPreview } from "@/features/tapes/bulk/TransformPreview";

const KINDS: { value: TransformKind; label: string; done: string }[] = [
  { value: "replace_text", label: "Replace text", done: "text replaced" },
  { value: "set_value", label: "Set a value", done: "value set" },
  { value: "drop_steps", label: "Delete steps of a kind", done: "steps deleted" },
  { value: "change_tool", label: "Rename a tool and its arguments", done: "tool renamed" },
  { value: "custom", label: "From a plugin", done: "transformed" },
];

interface TransformFormProps {
  chosen: Chosen;
  onStarted: (jobId: string) => void;
}

/** Requires a preview before anything is created: changing the form requires a new one. */
export function TransformForm({ chosen, onStarted }: TransformFormProps) {
  const [draft, setDraft] = useState<TransformDraft>(EMPTY_DRAFT);
  const [typedName, setName] = useState<string | null>(null);
  const name = typedName ?? suggestName(draft.kind, chosen);
  const preview = useMutation({
    mutationFn: (transform: Transform) =>
      previewTransform({ ...chosen.conditions, transforms: [transform] }),
  });
  const start = useMutation({ mutationFn: startTransform, onSuccess: ({ id }) => onStarted(id) });
  const read = readDraft(draft);
  const problem = "problem" in read ? read.problem : null;
  const isSeen = preview.isSuccess && preview.data.changed_tapes > 0;
  const change = (part: Partial<TransformDraft>) => {
    setDraft({ ...draft, ...part });
    preview.reset();
    start.reset();
  };
  return (
    <form
      aria-label="Transform tapes"
      onSubmit={(event) => {
        event.preventDefault();
        if ("problem" in read) return;
        if (!preview.isSuccess) preview.mutate(read.transform);
        else if (isSeen && name.trim() !== "") {
          start.mutate({
            ...chosen.conditions,
            transforms: [read.transform],
            batch_name: name.trim(),
          });
        }
      }}
    >
      <Stack gap={12}>
        <Select
          label="Transform"
          data={KINDS}
          allowDeselect={false}
          value={draft.kind}
          onChange={(kind) =>
            change({ kind: KINDS.find(({ value }) => value === kind)?.value ?? draft.kind })
          }
        />
        <TransformFields draft={draft} onChange={change} />
        {preview.isError && <Refusal error={preview.error} />}
        {preview.isSuccess && <TransformPreview preview={preview.data} />}
        {isSeen && (
          <TextInput
            label="Name of the new batch"
            description="The changed tapes are created in it as children; the selected ones do not change"
            maxLength={300}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        {start.isError && <Refusal error={start.error} />}
        <Group justify="flex-end" gap={12}>
          {problem !== null && <span className="ts-dimmed">{problem}</span>}
          {isSeen ? (
            <Button type="submit" loading={start.isPending} disabled={name.trim() === ""}>
              Create tapes
            </Button>
          ) : (
            <Button type="submit" loading={preview.isPending} disabled={problem !== null}>
              Preview
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** Named after the batch of the checked tapes, if they share one. */
function suggestName(kind: TransformKind, { rows }: Chosen): string {
  const done = KINDS.find(({ value }) => value === kind)?.done ?? "";
  const batches = new Set(rows.map((row) => row.batch_name));
  const [batch] = batches;
  return batches.size === 1 && batch ? `${batch}, ${done}` : `Tapes, ${done}`;
}

function Refusal({ error }: { error: unknown }) {
  return <p role="alert">{describeError(error)}</p>;
}
