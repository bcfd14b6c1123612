/** The fields of a rubric: its name, its items in order, and how the score is computed. */
import { ActionIcon, Button, Menu, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";

import type { Rubric, RubricItem } from "@/api/types";
import { ItemFields } from "@/features/annotate/ItemFields";
import classes from "@/features/annotate/lists.module.css";
import {
  ITEM_WORDS,
  moved,
  newItem,
  SCORE_WORDS,
  type DraftProblems,
  type RubricDraft,
} from "@/features/annotate/rubricDraft";

interface RubricFieldsProps {
  draft: RubricDraft;
  /** `null` until the person tries to save. */
  problems: DraftProblems | null;
  onChange: (draft: RubricDraft) => void;
  onRemove: (at: number) => void;
}

export function RubricFields({ draft, problems, onChange, onRemove }: RubricFieldsProps) {
  const { rubric } = draft;
  /** The item that was just added and takes the focus. */
  const [added, setAdded] = useState(-1);
  const change = (part: Partial<Rubric>) => onChange({ ...draft, rubric: { ...rubric, ...part } });
  return (
    <Stack gap={12}>
      <TextInput
        label="Name"
        maxLength={200}
        value={draft.name}
        error={problems?.name}
        onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
      />
      <Textarea
        label="Description"
        autosize
        minRows={1}
        maxLength={2000}
        value={rubric.description}
        onChange={({ currentTarget }) => change({ description: currentTarget.value })}
      />
      <p className={`ts-hint ${classes.help}`}>
        One question per item. The key identifies it in answers and exports: lowercase letters,
        underscores.
      </p>
      <ol className="ts-stack" aria-label="Items">
        {rubric.items.map((item, at) => (
          <li
            key={at}
            className={`ts-panel ${classes.item}`}
            data-bad={(problems?.items[at] ?? null) !== null || undefined}
          >
            <ItemHead
              item={item}
              at={at}
              count={rubric.items.length}
              onMove={(by) => change({ items: moved(rubric.items, at, by) })}
              onRemove={() => onRemove(at)}
            />
            <ItemFields
              item={item}
              isNew={at === added}
              problem={problems?.items[at] ?? null}
              onChange={(next) => change({ items: rubric.items.toSpliced(at, 1, next) })}
            />
          </li>
        ))}
      </ol>
      <AddItem
        onAdd={(kind) => {
          setAdded(rubric.items.length);
          change({ items: [...rubric.items, newItem(kind, rubric.items)] });
        }}
      />
      <ScoreFields rubric={rubric} problem={problems?.score ?? null} onChange={change} />
    </Stack>
  );
}

interface ItemHeadProps {
  item: RubricItem;
  at: number;
  count: number;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

function ItemHead({ item, at, count, onMove, onRemove }: ItemHeadProps) {
  return (
    <div className={`ts-row ts-hint ${classes.itemHead}`}>
      <span>
        {at + 1}. {ITEM_WORDS[item.kind]}
      </span>
      <ActionIcon
        aria-label={`Move item ${at + 1} up`}
        disabled={at === 0}
        onClick={() => onMove(-1)}
      >
        <IconArrowUp size={14} stroke={1.75} />
      </ActionIcon>
      <ActionIcon
        aria-label={`Move item ${at + 1} down`}
        disabled={at === count - 1}
        onClick={() => onMove(1)}
      >
        <IconArrowDown size={14} stroke={1.75} />
      </ActionIcon>
      <ActionIcon aria-label={`Remove item ${at + 1}`} onClick={onRemove}>
        <IconTrash size={14} stroke={1.75} />
      </ActionIcon>
    </div>
  );
}

const KINDS: readonly RubricItem["kind"][] = ["binary", "scale", "choice", "text", "preference"];

function AddItem({ onAdd }: { onAdd: (kind: RubricItem["kind"]) => void }) {
  return (
    <div>
      {/* The focus moves into the new item, not back to the button. */}
      <Menu position="bottom-start" width={200} returnFocus={false}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconPlus size={14} />}>
            Add an item
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {KINDS.map((kind) => (
            <Menu.Item key={kind} onClick={() => onAdd(kind)}>
              {ITEM_WORDS[kind]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

interface ScoreFieldsProps {
  rubric: Rubric;
  problem: string | null;
  onChange: (part: Partial<Rubric>) => void;
}

const RULES: readonly Rubric["score"]["rule"][] = ["none", "all", "mean", "sum", "item"];

function ScoreFields({ rubric, problem, onChange }: ScoreFieldsProps) {
  const { score } = rubric;
  const counting = rubric.items.filter(({ kind }) => kind === "binary" || kind === "scale");
  return (
    <div className={classes.row}>
      <Select
        label="Score"
        w={280}
        maw="100%"
        allowDeselect={false}
        data={RULES.map((value) => ({ value, label: SCORE_WORDS[value] }))}
        value={score.rule}
        error={problem}
        onChange={(value) => {
          const rule = RULES.find((one) => one === value);
          if (rule === undefined) return;
          onChange({ score: { rule, item: rule === "item" ? (counting[0]?.key ?? "") : "" } });
        }}
      />
      {score.rule === "item" && (
        <Select
          label="Item"
          allowDeselect={false}
          data={counting.map(({ key }) => key)}
          value={score.item}
          onChange={(item) => onChange({ score: { rule: "item", item: item ?? "" } })}
        />
      )}
    </div>
  );
}
