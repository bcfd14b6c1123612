/** One value that has no parts: text, number, yes or no, a choice. */
import { NumberInput, Select, Switch, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";

import classes from "@/features/tape-editor/form/form.module.css";
import type { Shape } from "@/features/tape-editor/form/schema";
import { isSafeImage } from "@/lib/valueShapes";
import { visibleText } from "@/lib/visibleText";

export type ScalarShape = Extract<Shape, { type: "text" | "number" | "boolean" | "choice" }>;

interface ScalarInputProps {
  id: string;
  shape: ScalarShape;
  value: unknown;
  isInvalid: boolean;
  onChange: (value: unknown) => void;
}

export function ScalarInput(props: ScalarInputProps) {
  const { id, shape, value, isInvalid, onChange } = props;
  switch (shape.type) {
    case "text":
      return <TextField {...props} format={shape.format} />;
    case "number":
      return <NumberField {...props} isInteger={shape.isInteger} />;
    case "boolean":
      return (
        <Switch
          id={id}
          checked={value === true}
          label={typeof value === "boolean" ? String(value) : emptyWord(value)}
          error={isInvalid}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case "choice":
      return <ChoiceField {...props} choices={shape.choices} />;
  }
}

export function emptyWord(value: unknown): string {
  return value === null ? "null" : "not set";
}

const MEASURED_LENGTH = 20_000;

/** The browser lets a field grow with its text, or a script has to measure it at every key. */
const GROWS = CSS.supports("field-sizing", "content");

/** Fields grow with their text; measuring a very long one would freeze the page. */
function heightOf(length: number) {
  if (length > MEASURED_LENGTH) return { rows: 24 };
  return GROWS
    ? { rows: 1, classNames: { input: classes.growing } }
    : { autosize: true, minRows: 1, maxRows: 24 };
}

function TextField({
  id,
  value,
  isInvalid,
  onChange,
  format,
}: ScalarInputProps & { format: string }) {
  const text = typeof value === "string" ? value : "";
  const placeholder = typeof value === "string" ? "empty" : emptyWord(value);
  if (format === "date") {
    return (
      <TextInput
        id={id}
        type="date"
        value={text}
        error={isInvalid}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  // An image is looked at; nobody types its bytes.
  if (isSafeImage(text)) return <img id={id} className={classes.image} src={text} alt="Attached" />;
  return (
    <Textarea
      id={id}
      {...heightOf(text.length)}
      value={text}
      placeholder={format === "date-time" ? "2026-01-31T12:00:00Z" : placeholder}
      error={isInvalid}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function NumberField(props: ScalarInputProps & { isInteger: boolean }) {
  const { id, value, isInvalid, isInteger, onChange } = props;
  // "1." and "-" are on the way to a number: they are kept as typed, and nobody is told.
  const [typed, setTyped] = useState<string | null>(null);
  const isOnTheWay = typed !== null;
  return (
    <NumberInput
      id={id}
      value={isOnTheWay ? typed : typeof value === "number" ? value : ""}
      placeholder={emptyWord(value)}
      allowDecimal={!isInteger}
      hideControls
      error={isOnTheWay && typed !== "" ? "This must be a number." : isInvalid}
      onBlur={() => setTyped(null)}
      onChange={(next) => {
        if (typeof next === "number") {
          setTyped(null);
          onChange(next);
          return;
        }
        // Emptied is on the way too; to take a value out there is a button.
        setTyped(next);
      }}
    />
  );
}

function ChoiceField(props: ScalarInputProps & { choices: readonly (string | number)[] }) {
  const { id, value, choices, isInvalid, onChange } = props;
  const words = choices.map((choice) => ({
    value: JSON.stringify(choice),
    label: visibleText(String(choice)),
  }));
  const isKnown = choices.some((choice) => choice === value);
  return (
    <Select
      id={id}
      data={words}
      value={isKnown ? JSON.stringify(value) : null}
      placeholder={isKnown ? "" : typeof value === "string" ? visibleText(value) : emptyWord(value)}
      allowDeselect={false}
      error={isInvalid}
      onChange={(text) => onChange(choices.find((choice) => JSON.stringify(choice) === text))}
    />
  );
}
