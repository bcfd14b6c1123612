/** Fields from a JSON schema, for any object; checked during typing. */
import { useEffect, useMemo, useRef } from "react";

import { ObjectFields } from "@/features/tape-editor/form/FieldTree";
import {
  FormProvider,
  type FormState,
  ProblemsProvider,
} from "@/features/tape-editor/form/formContext";
import { withValueAt } from "@/features/tape-editor/form/pointers";
import { describe, type Schema } from "@/features/tape-editor/form/schema";
import { useSchemaProblems } from "@/features/tape-editor/form/useFormProblems";
import { isObject, type JsonObject } from "@/lib/json";

interface SchemaFormProps {
  schema: Schema;
  value: JsonObject;
  /** The recorded value, to mark what changed. */
  before?: JsonObject;
  onChange: (value: JsonObject) => void;
}

export function SchemaForm({ schema, value, before, onChange }: SchemaFormProps) {
  const latest = useRef({ value, before, onChange });
  useEffect(() => {
    latest.current = { value, before, onChange };
  });
  const form = useMemo(
    (): FormState => ({
      root: schema,
      toolNames: [],
      toolSchema: () => undefined,
      onChange: (pointer, next) => {
        const { current } = latest;
        const changed = withValueAt(current.value, pointer, next, current.before);
        if (isObject(changed)) current.onChange(changed);
      },
    }),
    [schema],
  );
  return (
    <FormProvider value={form}>
      <ProblemsProvider value={useSchemaProblems(schema, value)}>
        <RootFields schema={schema} value={value} before={before} />
      </ProblemsProvider>
    </FormProvider>
  );
}

interface RootFieldsProps {
  schema: Schema;
  value: JsonObject;
  /** The recorded value; `undefined` if nothing was recorded. */
  before: JsonObject | undefined;
}

/** All fields of an object, inside a form. */
export function RootFields({ schema, value, before }: RootFieldsProps) {
  const { shape } = describe(schema, objectSchema(schema), value);
  if (shape.type !== "object") return null;
  return (
    <ObjectFields
      pointer=""
      value={value}
      before={before}
      hasBefore={before !== undefined}
      fields={shape.fields}
      extra={shape.extra}
    />
  );
}

const objectSchemas = new WeakMap<Schema, Schema>();

/** An empty schema becomes that of any object. */
function objectSchema(schema: Schema): Schema {
  if (schema.type === "object") return schema;
  const known = objectSchemas.get(schema) ?? { ...schema, type: "object" };
  objectSchemas.set(schema, known);
  return known;
}
