/** The fields of a step as a tree, drawn from its schema and from what it holds.
 *
 * A field is drawn again only when its own value changes: a key in one costs nothing of the others.
 */
import { Button, Select } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { lazy, memo, Suspense, useId, useState } from "react";

import { AddKey } from "@/features/tape-editor/form/AddKey";
import { OpenField, SetButton } from "@/features/tape-editor/form/EmptyField";
import { type Before, FieldFrame } from "@/features/tape-editor/form/FieldFrame";
import { useForm } from "@/features/tape-editor/form/formContext";
import classes from "@/features/tape-editor/form/form.module.css";
import { ItemTools } from "@/features/tape-editor/form/ItemTools";
import { newItem } from "@/features/tape-editor/form/newItem";
import { joinPointer } from "@/features/tape-editor/form/pointers";
import {
  blankValue,
  describe,
  type Field,
  type Option,
  type Schema,
  type Shape,
  switchedTo,
} from "@/features/tape-editor/form/schema";
import { ScalarInput } from "@/features/tape-editor/form/ScalarInput";
import { decodeArguments } from "@/features/tape-editor/form/toolArguments";
import { isObject } from "@/lib/json";
import { visibleText } from "@/lib/visibleText";

const JsonEditor = lazy(async () => ({
  default: (await import("@/features/tape-editor/form/JsonEditor")).JsonEditor,
}));

interface ValueFieldProps {
  pointer: string;
  name: string;
  schema: Schema;
  isRequired: boolean;
  value: unknown;
  /** What was recorded here; nothing was for a new step. */
  before: unknown;
  hasBefore: boolean;
}

export const ValueField = memo(function ValueField(props: ValueFieldProps) {
  const { pointer, name, schema, isRequired, value, before, hasBefore } = props;
  const id = useId();
  const form = useForm();
  const [wantsRaw, setWantsRaw] = useState(false);
  const { shape, description, isNullable } = describe(form.root, schema, value);
  const isEmpty = value === undefined || value === null;
  const isOpen = shape.type === "json" && isEmpty;
  const isRaw = wantsRaw || (shape.type === "json" && !isEmpty);
  const onChange = (next: unknown) => form.onChange(pointer, next);
  return (
    <FieldFrame
      {...{ id, name, pointer, description, isRequired, isRaw, value, onChange }}
      canClear={!isEmpty && (isNullable || !isRequired)}
      isGroup={!isRaw && isGroup(shape, value)}
      before={hasBefore ? recorded(before) : null}
      onClear={() => onChange(isNullable ? null : undefined)}
      onRaw={setWantsRaw}
    >
      {isRaw ? (
        <Suspense fallback={<div className="ts-hint">Loading the editor</div>}>
          <JsonEditor label={`${name} as JSON`} value={value} isSmall onChange={onChange} />
        </Suspense>
      ) : isOpen ? (
        <OpenField
          id={id}
          value={value}
          onText={() => onChange("")}
          onJson={() => setWantsRaw(true)}
        />
      ) : (
        <ShapeField {...props} id={id} shape={shape} onChange={onChange} />
      )}
    </FieldFrame>
  );
});

function recorded(value: unknown): Before {
  return { value };
}

function isGroup(shape: Shape, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return shape.type === "object" || shape.type === "list" || shape.type === "union";
}

interface ShapeFieldProps extends ValueFieldProps {
  id: string;
  shape: Shape;
  onChange: (value: unknown) => void;
}

function ShapeField({ id, shape, onChange, ...props }: ShapeFieldProps) {
  const { pointer, value, before, hasBefore, schema } = props;
  const { root } = useForm();
  const held = { pointer, before, hasBefore };
  switch (shape.type) {
    case "object":
      return isObject(value) ? (
        <div className={classes.nested}>
          <ObjectFields {...held} value={value} fields={shape.fields} extra={shape.extra} />
        </div>
      ) : (
        <SetButton
          id={id}
          onClick={() => onChange(blankValue(root, { ...schema, default: undefined }) ?? {})}
        />
      );
    case "list":
      return Array.isArray(value) ? (
        <ListField {...held} value={value} shape={shape} onChange={onChange} />
      ) : (
        <SetButton id={id} onClick={() => onChange([])} />
      );
    case "union":
      return <UnionField {...props} id={id} shape={shape} onChange={onChange} />;
    case "json":
      return null;
    default:
      return <ScalarInput {...{ id, shape, value, onChange }} isInvalid={false} />;
  }
}

interface ObjectFieldsProps {
  pointer: string;
  value: Record<string, unknown>;
  before: unknown;
  hasBefore: boolean;
  fields: readonly Field[];
  /** What other keys hold; `null` when there may be none. */
  extra: Schema | null;
}

export function ObjectFields(props: ObjectFieldsProps) {
  const { pointer, value, before, hasBefore, fields, extra } = props;
  const form = useForm();
  const old = isObject(before) ? before : {};
  const gone = Object.keys(old).filter((name) => !fields.some((field) => field.name === name));
  const all = [
    ...fields,
    ...gone.map((name) => ({ name, schema: extra ?? {}, isRequired: false })),
  ];
  return (
    <div className="ts-stack">
      {all.length === 0 && <p className={classes.note}>Empty.</p>}
      {all.map((field) =>
        field.name === "arguments" && typeof value.name === "string" ? (
          <ArgumentsField
            key={field.name}
            tool={value.name}
            {...{ pointer: joinPointer(pointer, field.name), hasBefore }}
            value={value.arguments}
            before={old.arguments}
          />
        ) : (
          <ValueField
            key={field.name}
            {...field}
            pointer={joinPointer(pointer, field.name)}
            value={own(value, field.name)}
            before={own(old, field.name)}
            hasBefore={hasBefore}
          />
        ),
      )}
      {extra !== null && (
        <AddKey
          taken={Object.keys(value)}
          onAdd={(name) => {
            const first = Object.keys(extra).length === 0 ? "" : blankValue(form.root, extra);
            form.onChange(joinPointer(pointer, name), first);
          }}
        />
      )}
    </div>
  );
}

/** Keys of tapes may be named as anything, "constructor" too. */
function own(value: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

interface ArgumentsFieldProps {
  pointer: string;
  tool: string;
  value: unknown;
  before: unknown;
  hasBefore: boolean;
}

/** The arguments of a tool call: by the tool's schema, whether they are an object or its JSON text. */
function ArgumentsField({ pointer, tool, value, before, hasBefore }: ArgumentsFieldProps) {
  const { toolSchema } = useForm();
  const held = decodeArguments(value);
  const schema = toolSchema(tool) ?? EMPTY;
  return (
    <ValueField
      name="arguments"
      isRequired={false}
      {...{ pointer, hasBefore }}
      schema={held === undefined ? EMPTY : schema}
      value={held ?? value}
      before={held === undefined ? before : (decodeArguments(before) ?? before)}
    />
  );
}

const EMPTY: Schema = {};
interface ListFieldProps {
  pointer: string;
  value: readonly unknown[];
  before: unknown;
  hasBefore: boolean;
  shape: Extract<Shape, { type: "list" }>;
  onChange: (value: unknown) => void;
}

const SHOWN_ITEMS = 50;

function ListField({ pointer, value, before, hasBefore, shape, onChange }: ListFieldProps) {
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
          <ValueField
            pointer={joinPointer(pointer, at)}
            name={String(at)}
            schema={shape.itemSchemas[at] ?? shape.items}
            isRequired
            value={item}
            before={old[at]}
            hasBefore={hasBefore && at < old.length}
          />
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

interface UnionFieldProps extends ValueFieldProps {
  id: string;
  shape: Extract<Shape, { type: "union" }>;
  onChange: (value: unknown) => void;
}

/** A value that may be of several sorts: which one, then as that one. */
function UnionField({ id, shape, onChange, ...props }: UnionFieldProps) {
  const { root } = useForm();
  const { options, chosen } = shape;
  const option: Option | undefined = options[chosen];
  const isEmpty = props.value === undefined || props.value === null;
  return (
    <div className="ts-stack">
      <Select
        aria-label={visibleText(`Type of ${props.name}`)}
        w={200}
        data={options.map(({ title }, at) => ({ value: String(at), label: visibleText(title) }))}
        value={isEmpty || option === undefined ? null : String(chosen)}
        placeholder={isEmpty ? "not set" : "other type"}
        allowDeselect={false}
        onChange={(text) => {
          const next = options[Number(text)];
          if (text !== null && next !== undefined) onChange(switchedTo(root, next, props.value));
        }}
      />
      {!isEmpty && (
        <ShapeField
          {...props}
          id={id}
          schema={option?.schema ?? EMPTY}
          shape={describe(root, option?.schema ?? EMPTY, props.value).shape}
          onChange={onChange}
        />
      )}
    </div>
  );
}
