/** Asks for a kind of step: its name, what it is, and its fields. */
import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Modal,
  Select,
  TagsInput,
  TextInput,
} from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";

import type { DefinedKind, KindField } from "@/api/agentDrafts";
import classes from "@/features/agent-editor/agent/kinds.module.css";
import { BLANK_FIELD, BLANK_KIND, nameIn } from "@/features/agent-editor/draft/kindChanges";
import { FAMILY_TITLES, TYPE_TITLES } from "@/lib/definedKind";
import { useFocusBack } from "@/lib/useFocusBack";

interface KindDialogProps {
  /** The kind to change; a new one without it. */
  kind?: DefinedKind;
  /** Names of the agent's other kinds. */
  taken: readonly string[];
  onSave: (kind: DefinedKind) => void;
  onClose: () => void;
}

export function KindDialog({ kind: old, taken, onSave, onClose }: KindDialogProps) {
  useFocusBack();
  const [kind, setKind] = useState(old ?? BLANK_KIND);
  const put = (changed: Partial<DefinedKind>) => setKind({ ...kind, ...changed });
  const name = kind.name.trim();
  const isTaken = taken.includes(name);
  const save = () => {
    if (name === "" || isTaken) return;
    onSave({
      ...kind,
      name,
      fields: kind.fields.map((one) => ({ ...one, name: one.name.trim() })),
    });
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={old === undefined ? "New kind of step" : "Kind of step"}
      size="min(640px, calc(100vw - 32px))"
    >
      <form
        className="ts-stack"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <div className={classes.pair}>
          <TextInput
            data-autofocus
            label="Name"
            placeholder="Verdict"
            error={isTaken ? "The agent has a kind of this name already." : null}
            value={kind.name}
            onChange={({ currentTarget }) => put({ name: currentTarget.value })}
          />
          <Select
            label="What it is"
            allowDeselect={false}
            data={optionsOf(FAMILY_TITLES)}
            value={kind.family}
            onChange={(next) => put({ family: nameIn(FAMILY_TITLES, next) ?? kind.family })}
          />
        </div>
        <TextInput
          label="What the model is told about it"
          value={kind.description}
          onChange={({ currentTarget }) => put({ description: currentTarget.value })}
        />
        <KindFieldRows fields={kind.fields} onChange={(fields) => put({ fields })} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={name === "" || isTaken}>
            {old === undefined ? "Add the kind" : "Change the kind"}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

interface KindFieldRowsProps {
  fields: readonly KindField[];
  onChange: (fields: KindField[]) => void;
}

function KindFieldRows({ fields, onChange }: KindFieldRowsProps) {
  return (
    <fieldset className={classes.rows}>
      <legend>Fields</legend>
      {fields.map((field, at) => (
        // By its place: a change keeps the cursor.
        <KindFieldRow
          key={at}
          number={at + 1}
          field={field}
          onChange={(changed) => onChange(fields.toSpliced(at, 1, { ...field, ...changed }))}
          onRemove={() => onChange(fields.toSpliced(at, 1))}
        />
      ))}
      <div>
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={<IconPlus size={12} />}
          onClick={() => onChange([...fields, BLANK_FIELD])}
        >
          Add a field
        </Button>
      </div>
    </fieldset>
  );
}

interface KindFieldRowProps {
  number: number;
  field: KindField;
  onChange: (changed: Partial<KindField>) => void;
  onRemove: () => void;
}

function KindFieldRow({ number, field, onChange, onRemove }: KindFieldRowProps) {
  return (
    <div role="group" aria-label={`Field ${number}`} className={classes.row}>
      <div className={classes.pair}>
        <TextInput
          label="Field"
          placeholder="reason"
          value={field.name}
          onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        />
        <Select
          label="Type"
          allowDeselect={false}
          data={optionsOf(TYPE_TITLES)}
          value={field.type}
          onChange={(next) => onChange({ type: nameIn(TYPE_TITLES, next) ?? field.type })}
        />
      </div>
      {field.type === "choice" && (
        <TagsInput
          label="Choices"
          placeholder="One, then Enter"
          value={field.choices}
          onChange={(choices) => onChange({ choices })}
        />
      )}
      <TextInput
        label="What the model is told about the field"
        value={field.description}
        onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
      />
      <Group justify="space-between">
        <Checkbox
          label="Required"
          checked={field.required}
          onChange={({ currentTarget }) => onChange({ required: currentTarget.checked })}
        />
        <ActionIcon aria-label={`Remove field ${number}`} onClick={onRemove}>
          <IconTrash size={15} stroke={1.75} />
        </ActionIcon>
      </Group>
    </div>
  );
}

function optionsOf(titles: Readonly<Record<string, string>>) {
  return Object.entries(titles).map(([value, label]) => ({ value, label }));
}
