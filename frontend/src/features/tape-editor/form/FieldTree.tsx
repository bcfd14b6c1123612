/** The fields of a step as a tree, drawn from its schema and its values.
 *
 * A field is drawn again only when its own value changes: a key press in one costs the others
 * nothing.
 */
import { Select } from "@mantine/core";
import { lazy, memo, Suspense, useId, useState } from "react";

import { AddKey } from "@/features/tape-editor/form/AddKey";
import { Advanced } from "@/features/tape-editor/form/Advanced";
import { OpenField, SetButton } from "@/features/tape-editor/form/EmptyField";
import { type Before, FieldFrame } from "@/features/tape-editor/form/FieldFrame";
import { useForm, useProblems } from "@/features/tape-editor/form/formContext";
import classes from "@/features/tape-editor/form/form.module.css";
import { ListField } from "@/features/tape-editor/form/ListField";
import {
  type PlacedField,
  placedFields,
  type PlacedObject,
} from "@/features/tape-editor/form/placedFields";
import { joinPointer } from "@/features/tape-editor/form/pointers";
import { problemsInside } from "@/features/tape-editor/form/problems";
import {
  blankValue,
  describe,
  type Option,
  type Schema,
  type Shape,
  convertToOption,
  TOOL_NAME,
} from "@/features/tape-editor/form/schema";
import { ScalarInput } from "@/features/tape-editor/form/ScalarInput";
import {
  callFields,
  callIn,
  type CallShape,
  decodeArguments,
  isPlumbing,
} from "@/features/tape-editor/form/toolCall";
import { isObject } from "@/lib/json";
import { visibleText } from "@/lib/visibleText";

const JsonEditor = lazy(async () => ({
  default: (await import("@/features/tape-editor/form/JsonEditor")).JsonEditor,
}));

export const ValueField = memo(function ValueField(props: PlacedField) {
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

interface ShapeFieldProps extends PlacedField {
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
        <ListField
          {...held}
          value={value}
          shape={shape}
          onChange={onChange}
          drawItem={(item) => <ValueField {...item} />}
        />
      ) : (
        <SetButton id={id} onClick={() => onChange([])} />
      );
    case "union":
      return <UnionField {...props} id={id} shape={shape} onChange={onChange} />;
    case "json":
      return null;
    default:
      return (
        <ScalarInput {...{ id, shape, value, onChange }} usual={schema.default} isInvalid={false} />
      );
  }
}

/** The parts of an object; a tool call gets a special form. */
export function ObjectFields(held: PlacedObject) {
  const call = callIn(held.value);
  return call === null ? <NamedFields {...held} /> : <ToolCallFields {...held} call={call} />;
}

function NamedFields(held: PlacedObject) {
  const all = placedFields(held);
  return (
    <div className="ts-stack">
      {all.length === 0 && <p className={classes.note}>Empty.</p>}
      {all.map((field) => (
        <ValueField key={field.name} {...field} />
      ))}
      <AddField {...held} />
    </div>
  );
}

function AddField({ pointer, value, extra }: PlacedObject) {
  const form = useForm();
  if (extra === null) return null;
  return (
    <AddKey
      taken={Object.keys(value)}
      onAdd={(name) => {
        const first = Object.keys(extra).length === 0 ? "" : blankValue(form.root, extra);
        form.onChange(joinPointer(pointer, name), first);
      }}
    />
  );
}

/** Which tool is called and with what, whatever the call's shape; ids and the like are folded. */
function ToolCallFields({ call, ...held }: PlacedObject & { call: CallShape }) {
  const { root, toolSchema } = useForm();
  const problems = useProblems();
  const { name, given, others } = callFields(root, held, call);
  const plumbing = others.filter((field) => isPlumbing(field.name));
  const isWrong = plumbing.some(({ pointer }) => problemsInside(problems, pointer).length > 0);
  const tool = typeof name?.value === "string" ? name.value : "";
  return (
    <div className="ts-stack">
      {name !== undefined && <ValueField {...name} schema={TOOL_NAME} isRequired />}
      {given !== undefined && <ArgumentsField {...given} toolSchema={toolSchema(tool) ?? EMPTY} />}
      {others.map((field) =>
        isPlumbing(field.name) ? null : <ValueField key={field.pointer} {...field} />,
      )}
      <Advanced startsOpen={isWrong}>
        {plumbing.map((field) => (
          <ValueField key={field.pointer} {...field} />
        ))}
        <AddField {...held} />
      </Advanced>
    </div>
  );
}

/** A tool call's arguments, by the tool's schema, whether they are an object or its JSON text. */
function ArgumentsField({ toolSchema, ...field }: PlacedField & { toolSchema: Schema }) {
  const held = decodeArguments(field.value);
  return (
    <div className={classes.lines}>
      <ValueField
        {...field}
        isRequired={false}
        schema={held === undefined ? EMPTY : toolSchema}
        value={held ?? field.value}
        before={held === undefined ? field.before : (decodeArguments(field.before) ?? field.before)}
      />
    </div>
  );
}

const EMPTY: Schema = {};

interface UnionFieldProps extends PlacedField {
  id: string;
  shape: Extract<Shape, { type: "union" }>;
  onChange: (value: unknown) => void;
}

/** A value of one of several types: a choice of the type, then the field for it. */
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
          if (text !== null && next !== undefined)
            onChange(convertToOption(root, next, props.value));
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
