/** A list: its items one below the other, with buttons to add, move and remove them. */
import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";

import { useForm } from "@/features/tape-editor/form/formContext";
import classes from "@/features/tape-editor/form/form.module.css";
import { ItemTools } from "@/features/tape-editor/form/ItemTools";
import { newItem } from "@/features/tape-editor/form/newItem";
import type { PlacedField } from "@/features/tape-editor/form/placedFields";
import { joinPointer } from "@/features/tape-editor/form/pointers";
import type { Shape } from "@/features/tape-editor/form/schema";

interface ListFieldProps {
  pointer: string;
  value: readonly unknown[];
  before: unknown;
  hasBefore: boolean;
  shape: Extract<Shape, { type: "list" }>;
  onChange: (value: unknown) => void;
  drawItem: (item: PlacedField) => ReactNode;
}

const SHOWN_ITEMS = 50;

export function ListField(props: ListFieldProps) {
  const { pointer, value, before, hasBefore, shape, onChange, drawItem } = props;
  const { root } = useForm();
  const [shown, setShown] = useState(SHOWN_ITEMS);
  const old: readonly unknown[] = Array.isArray(before) ? before : [];
  const move = (at: number, to: number) =>
    onChange(value.toSpliced(at, 1).toSpliced(to, 0, value[at]));
  const onAdd = () => onChange([...value, newItem(root, shape, value)]);
  return (
    <div className={`ts-stack ${classes.list}`}>
      {value.slice(0, shown).map((item, at) => (
        <div key={at} className={classes.item}>
          {drawItem({
            pointer: joinPointer(pointer, at),
            name: String(at),
            schema: shape.itemSchemas[at] ?? shape.items,
            isRequired: true,
            value: item,
            before: old[at],
            hasBefore: hasBefore && at < old.length,
          })}
          <ItemTools
            at={at}
            count={value.length}
            onMove={(to) => move(at, to)}
            onRemove={() => onChange(value.toSpliced(at, 1))}
          />
        </div>
      ))}
      <div className={classes.listFoot}>
        {value.length > shown && (
          <Button variant="subtle" size="compact-xs" onClick={() => setShown(shown + SHOWN_ITEMS)}>
            Show {Math.min(SHOWN_ITEMS, value.length - shown)} more of {value.length}
          </Button>
        )}
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={<IconPlus size={12} />}
          onClick={onAdd}
        >
          Add item
        </Button>
      </div>
    </div>
  );
}
