/** Edits one step in place; what is typed goes into the draft automatically. */
import { Button, SegmentedControl, Select, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, memo, Suspense, useEffect, useMemo, useRef, useState, type RefObject } from "react";

import { describeError } from "@/api/client";
import type { StepData, StepSchema } from "@/api/types";
import { kindSchemaQuery, stepSchemaQuery, toolsQuery } from "@/features/tape-editor/form/api";
import { editedStep, type StepJson } from "@/features/tape-editor/draft";
import {
  type StepRow,
  useActions,
  useEditor,
  useTapeModel,
  withoutMetadata,
} from "@/features/tape-editor/editor";
import {
  FormProvider,
  type FormState,
  ProblemsProvider,
} from "@/features/tape-editor/form/formContext";
import classes from "@/features/tape-editor/form/form.module.css";
import { keptJson } from "@/features/tape-editor/form/keptJson";
import { withValueAt } from "@/features/tape-editor/form/pointers";
import { problemsInside } from "@/features/tape-editor/form/problems";
import type { Schema } from "@/features/tape-editor/form/schema";
import { RootFields } from "@/features/tape-editor/form/SchemaForm";
import { explainStep, convertStep } from "@/features/tape-editor/form/stepJson";
import { useFormProblems } from "@/features/tape-editor/form/useFormProblems";
import { isObject, isSameJson } from "@/lib/json";
import { dataOf } from "@/lib/stepParts";
import { visibleText } from "@/lib/visibleText";

const JsonEditor = lazy(async () => ({
  default: (await import("@/features/tape-editor/form/JsonEditor")).JsonEditor,
}));

interface StepFormProps {
  row: StepRow;
  /** As it is in the draft now. */
  body: StepJson;
  /** As recorded; `undefined` for an inserted step. */
  recorded: StepData | undefined;
}

export function StepForm({ row, body, recorded }: StepFormProps) {
  const { key, origin } = row.slot;
  const typed = useEditor(({ typing }) => editedStep(typing, key));
  const step = useMemo(
    () => typed ?? (origin === null ? body : withoutMetadata(body)),
    [typed, origin, body],
  );
  const before = useMemo(
    () => (recorded === undefined ? undefined : withoutMetadata(recorded.body)),
    [recorded],
  );
  const keptAt = usePlace(key);
  const [isRaw, setRaw] = useState(keptJson(keptAt) !== undefined);
  const { schema, isLoading, error } = useStepSchema(row, step, before);
  const variant = useVariant(schema, step);
  const { form, onChange } = useFormState({ row, step, before, recorded, schema: variant.schema });
  const problems = useFormProblems(row.index, step, variant.schema, form.toolSchema);
  const place = useCaret(!isLoading && !isRaw);

  return (
    // A form for its semantics only; there is nothing to submit, as typing is saved.
    <form
      ref={place}
      className={`ts-column ${classes.form}`}
      aria-label={`Edit step ${row.index}`}
      data-tour="step-form"
      onSubmit={(event) => event.preventDefault()}
    >
      <FormProvider value={form}>
        <ProblemsProvider value={problems}>
          {isRaw ? (
            <Suspense fallback={<Skeleton height={120} />}>
              <JsonEditor
                label="Step as JSON"
                place={keptAt}
                value={step}
                check={explainStep}
                onChange={onChange}
              />
            </Suspense>
          ) : isLoading ? (
            <Skeleton height={96} aria-label="Loading the form" />
          ) : (
            <>
              {error !== null && (
                <p className={classes.note}>
                  Form generated from the step's fields. {describeError(error)}
                </p>
              )}
              <VariantChoice {...variant} onChange={onChange} step={step} />
              <RootFields
                schema={variant.schema}
                value={dataOf(step)}
                before={before === undefined ? undefined : dataOf(before)}
              />
            </>
          )}
        </ProblemsProvider>
      </FormProvider>
      {problemsInside(problems, "").length > 0 && (
        <ProblemSum messages={[...problems]} isRaw={isRaw} />
      )}
      <FormFoot
        {...{ row, recorded, isRaw }}
        isChanged={before !== undefined && !isSameJson(step, before)}
        onRaw={setRaw}
      />
    </form>
  );
}

const FIRST_FIELD = "[data-pointer] :is(textarea, input:not([type=checkbox]))";

/** A form that was just opened has the caret at the end of its first field, once it has fields.
 *
 * Only then: a form that scrolls out of view and back is drawn anew.
 */
function useCaret(hasFields: boolean): RefObject<HTMLFormElement | null> {
  const place = useRef<HTMLFormElement>(null);
  const wantsCaret = useEditor((editor) => editor.wantsCaret);
  const dispatch = useEditor((editor) => editor.dispatch);
  useEffect(() => {
    if (!wantsCaret || !hasFields) return;
    dispatch({ type: "form.entered" });
    const field = place.current?.querySelector(FIRST_FIELD);
    if (field instanceof HTMLTextAreaElement) {
      field.focus();
      field.setSelectionRange(field.value.length, field.value.length);
    } else if (field instanceof HTMLInputElement) field.focus();
  }, [wantsCaret, hasFields, dispatch]);
  return place;
}

/** The same step has a different key in each fix. */
function usePlace(slot: string): string {
  const { tape } = useTapeModel();
  const fix = useEditor(({ draft }) => draft.fix);
  return [tape.id, fix, slot].join(" ");
}

interface FormStateOptions {
  row: StepRow;
  step: StepJson;
  before: StepJson | undefined;
  recorded: StepData | undefined;
  schema: Schema;
}

/** Returns the same object on every key press: fields read the newest step from a ref. */
function useFormState(options: FormStateOptions) {
  const { tape } = useTapeModel();
  const actions = useActions();
  const tools = useQuery(toolsQuery(tape.id)).data;
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const { schema } = options;
  return useMemo(() => {
    const onChange = (next: unknown) => {
      const { row, recorded } = latest.current;
      if (isObject(next)) actions.write(row, next, recorded);
    };
    const form: FormState = {
      root: schema,
      toolNames: (tools ?? []).map(({ name }) => name),
      toolSchema: (name) => tools?.find((tool) => tool.name === name)?.parameters,
      onChange: (pointer, value) => {
        const { step, before } = latest.current;
        onChange(withValueAt(step, pointer, value, before));
      },
    };
    return { form, onChange };
  }, [schema, tools, actions]);
}

function useStepSchema({ slot }: StepRow, step: StepJson, before: StepJson | undefined) {
  const { tape } = useTapeModel();
  const { origin } = slot;
  const isOfStep = origin !== null && step.kind === before?.kind;
  const ofStep = useQuery({ ...stepSchemaQuery(tape.id, origin ?? 0), enabled: isOfStep });
  const ofKind = useQuery({ ...kindSchemaQuery(tape.id, String(step.kind)), enabled: !isOfStep });
  const asked = isOfStep ? ofStep : ofKind;
  return {
    schema: asked.data,
    isLoading: asked.isLoading,
    // An unknown kind has no schema: the form follows the data.
    error: isOfStep ? ofStep.error : null,
  };
}

const NO_SCHEMA: Schema = {};

/** Several classes may share a kind: the one that was chosen, or that the step fits now. */
function useVariant(found: StepSchema | undefined, step: StepJson) {
  const [chosen, setChosen] = useState<string | null>(null);
  const variants = found?.variants ?? [];
  const variant =
    variants.find(({ title }) => title === chosen) ??
    variants.find(({ data_schema: schema }) => holdsRequired(schema, step)) ??
    variants[0];
  const schema = variant?.data_schema ?? found?.data_schema ?? NO_SCHEMA;
  return { variants, title: variant?.title ?? "", schema, onChosen: setChosen };
}

function holdsRequired(schema: Schema, step: StepJson): boolean {
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  return required.every((name) => typeof name === "string" && Object.hasOwn(step, name));
}

type VariantChoiceProps = ReturnType<typeof useVariant> & {
  step: StepJson;
  onChange: (step: StepJson) => void;
};

function VariantChoice({ variants, title, onChosen, step, onChange }: VariantChoiceProps) {
  if (variants.length < 2) return null;
  return (
    <Select
      label="As"
      w={220}
      data={variants.map((variant) => ({
        value: variant.title,
        label: visibleText(variant.title),
      }))}
      value={title}
      allowDeselect={false}
      onChange={(name) => {
        const next = variants.find((variant) => variant.title === name);
        if (next === undefined) return;
        onChosen(next.title);
        onChange(convertStep(step, next.data_schema));
      }}
    />
  );
}

function ProblemSum({ messages, isRaw }: { messages: [string, string][]; isRaw: boolean }) {
  return (
    <div className={classes.problem} role="alert">
      {isRaw ? (
        <ul className={classes.problems}>
          {messages.map(([pointer, message]) => (
            <li key={pointer}>{visibleText([pointer.slice(1), message].join(": "))}</li>
          ))}
        </ul>
      ) : (
        "You can save or resume once this step matches its kind."
      )}
    </div>
  );
}

interface FormFootProps {
  row: StepRow;
  recorded: StepData | undefined;
  isRaw: boolean;
  isChanged: boolean;
  onRaw: (isRaw: boolean) => void;
}

/** The same on every key press but the first. */
const FormFoot = memo(function FormFoot(props: FormFootProps) {
  const { row, recorded, isRaw, isChanged, onRaw } = props;
  const actions = useActions();
  const dispatch = useEditor((editor) => editor.dispatch);
  return (
    <footer className={`ts-row ${classes.foot}`}>
      <SegmentedControl
        aria-label="Edit as"
        data={["Form", "JSON"]}
        value={isRaw ? "JSON" : "Form"}
        onChange={(value) => onRaw(value === "JSON")}
      />
      {recorded !== undefined && isChanged && (
        <Button variant="subtle" color="gray" onClick={() => actions.restore(row, recorded)}>
          Reset step
        </Button>
      )}
      <span className={`ts-hint ${classes.hint}`}>
        Saved as you type; nothing runs until Resume
      </span>
      <Button variant="default" onClick={() => dispatch({ type: "form.closed" })}>
        Done
      </Button>
    </footer>
  );
});
