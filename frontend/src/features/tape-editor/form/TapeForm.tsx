/** Edits everything but the steps: title, context, result, error and other metadata. */
import { Button, Group } from "@mantine/core";
import { useMemo, useState } from "react";

import type { Tape } from "@/api/types";
import {
  applied,
  type DraftEdit,
  editedContext,
  editedMetadata,
  type Operation,
} from "@/features/tape-editor/draft";
import { useEditor, useTapeModel } from "@/features/tape-editor/editor";
import classes from "@/features/tape-editor/form/form.module.css";
import { Advanced } from "@/features/tape-editor/form/Advanced";
import { SchemaForm } from "@/features/tape-editor/form/SchemaForm";
import { isObject, isSameJson, type JsonObject } from "@/lib/json";

/** Whether the draft changes anything but the steps. */
export function useIsTapeEdited(): boolean {
  return useEditor(({ draft }) => draft.operations.some(isAroundSteps) && draft.appliedCount > 0);
}

function isAroundSteps({ op }: Operation): boolean {
  return op === "context" || op === "metadata";
}

const TITLE = {
  type: "object",
  additionalProperties: false,
  required: ["title"],
  properties: { title: { type: "string", maxLength: 300 } },
};

const RAW = {
  type: "object",
  additionalProperties: false,
  required: ["context"],
  properties: {
    context: { description: "The input of the session: editing it makes every step stale" },
    metadata: {
      type: "object",
      properties: {
        result: { description: "Result of the session" },
        error: { description: "Error message" },
      },
    },
  },
};

export function TapeForm({ onDone }: { onDone: () => void }) {
  const { tape, outline } = useTapeModel();
  const dispatch = useEditor((editor) => editor.dispatch);
  const draft = useEditor((editor) => editor.draft);
  const typing = useEditor((editor) => editor.typing);
  const before = useMemo(() => recordedDetails(tape), [tape]);
  const value = useMemo(() => {
    const typed = typing === null ? [] : [typing.operation];
    return withEdits(before, [...applied(draft), ...typed]);
  }, [before, draft, typing]);
  const [startsOpen] = useState(() => !isSameJson(rawOf(value), rawOf(before)));
  const onChange = (part: JsonObject) => {
    const next = { ...value, ...part };
    const edit = isSameJson(next.context, value.context)
      ? metadataEdit(next, before)
      : contextEdit(next, before);
    dispatch({ type: "typing.changed", edit: { ...edit, stepCount: outline.length } });
  };
  const done = () => {
    dispatch({ type: "form.closed" });
    onDone();
  };
  return (
    <form
      className={`ts-column ${classes.form}`}
      aria-label="Edit the tape"
      onSubmit={(event) => event.preventDefault()}
    >
      <SchemaForm
        schema={TITLE}
        value={{ title: value.title }}
        before={{ title: before.title }}
        onChange={onChange}
      />
      <Advanced title="Context and metadata, as recorded" startsOpen={startsOpen}>
        <SchemaForm schema={RAW} value={rawOf(value)} before={rawOf(before)} onChange={onChange} />
      </Advanced>
      <Group justify="space-between">
        <span className={`ts-hint ${classes.hint}`}>
          Saved as you type; the tape itself stays as it is
        </span>
        <Button variant="default" onClick={done}>
          Done
        </Button>
      </Group>
    </form>
  );
}

interface Details extends JsonObject {
  title: string;
  context: unknown;
  metadata: JsonObject;
}

function rawOf({ context, metadata }: Details): JsonObject {
  return { context, metadata };
}

const LINEAGE = new Set(["id", "parent_id", "author", "n_added_steps"]);

function recordedDetails({ title, context, metadata }: Tape): Details {
  const own = Object.entries(metadata).filter(([name]) => !LINEAGE.has(name));
  return { title, context, metadata: Object.fromEntries(own) };
}

function withEdits(before: Details, operations: readonly Operation[]): Details {
  const context = editedContext(operations);
  const metadata = editedMetadata(operations);
  return {
    title: metadata?.title ?? before.title,
    context: context === undefined ? before.context : context.value,
    metadata: metadata?.values ?? before.metadata,
  };
}

function contextEdit({ context = null }: JsonObject, before: Details): DraftEdit {
  return {
    operation: { op: "context", value: context },
    session: "tape-context",
    recorded: { slot: "tape", step: { value: before.context } },
  };
}

function metadataEdit({ title, metadata }: JsonObject, before: Details): DraftEdit {
  const isRenamed = typeof title === "string" && title !== before.title;
  const values = isObject(metadata) ? metadata : {};
  return {
    operation: { op: "metadata", title: isRenamed ? title : null, values },
    session: "tape-metadata",
    recorded: { slot: "tape", step: { title: null, values: before.metadata } },
  };
}
