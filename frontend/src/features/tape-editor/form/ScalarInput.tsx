/** A value without parts: text, number, yes or no, a choice. */
import { Autocomplete, Select, Switch, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";

import { useForm } from "@/features/tape-editor/form/formContext";
import classes from "@/features/tape-editor/form/form.module.css";
import { readNumber } from "@/features/tape-editor/form/readNumber";
import { type Shape, TOOL_FORMAT } from "@/features/tape-editor/form/schema";
import { isSafeImage } from "@/lib/valueShapes";
import { visibleText } from "@/lib/visibleText";

export type ScalarShape = Extract<Shape, { type: "text" | "number" | "boolean" | "choice" }>;

interface ScalarInputProps {
  id: string;
  shape: ScalarShape;
  value: unknown;
  /** What counts while there is no value. */
  usual?: unknown;
  isInvalid: boolean;
  onChange: (value: unknown) => void;
}

export function ScalarInput(props: ScalarInputProps) {
  const { id, shape, value, usual, isInvalid, onChange } = props;
  switch (shape.type) {
    case "text":
      return <TextField {...props} format={shape.format} />;
    case "number":
      return <NumberField {...props} isInteger={shape.isInteger} />;
    case "boolean":
      return (
        <Switch
          id={id}
          checked={(value === undefined ? usual : value) === true}
          label={typeof value === "boolean" ? String(value) : emptyWord(value, usual)}
          error={isInvalid}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case "choice":
      return <ChoiceField {...props} choices={shape.choices} />;
  }
}

export function emptyWord(value: unknown, usual?: unknown): string {
  if (value === null) return "null";
  const isShort = ["string", "number", "boolean"].includes(typeof usual) && usual !== "";
  return isShort ? `not set: ${visibleText(String(usual))}` : "not set";
}

const MEASURED_LENGTH = 20_000;

/** Whether the browser grows a field with its text; if not, a script measures it on each key. */
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
  usual,
  isInvalid,
  onChange,
  format,
}: ScalarInputProps & { format: string }) {
  const { toolNames } = useForm();
  const text = typeof value === "string" ? value : "";
  const placeholder = typeof value === "string" ? "empty" : emptyWord(value, usual);
  if (format === TOOL_FORMAT && toolNames.length > 0)
    return <ToolName {...{ id, text, placeholder, isInvalid, onChange, toolNames }} />;
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
  // An image is shown; nobody types its bytes.
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

interface ToolNameProps extends Pick<ScalarInputProps, "id" | "isInvalid" | "onChange"> {
  text: string;
  placeholder: string;
  toolNames: readonly string[];
}

/** A known tool, or any other name. */
function ToolName({ id, text, placeholder, isInvalid, onChange, toolNames }: ToolNameProps) {
  // The current name is not a search: all tools are offered until the person types.
  const [isTyping, setTyping] = useState(false);
  return (
    <Autocomplete
      id={id}
      classNames={{ input: classes.mono }}
      data={[...toolNames]}
      filter={({ options, search }) => {
        const names = options.flatMap((option) => ("value" in option ? [option] : []));
        return isTyping ? names.filter(({ value }) => value.includes(search.trim())) : names;
      }}
      value={text}
      placeholder={placeholder}
      error={isInvalid}
      onInput={() => setTyping(true)}
      onBlur={() => setTyping(false)}
      onChange={onChange}
    />
  );
}

/** A text field, so that an unfinished number, such as "-" or "1.", is never dropped. */
function NumberField(props: ScalarInputProps & { isInteger: boolean }) {
  const { id, value, usual, isInvalid, isInteger, onChange } = props;
  const [typed, setTyped] = useState<Typed | null>(null);
  // The typed text stays until the value changes from outside, such as by Undo.
  const text = typed !== null && typed.stands === value ? typed.text : textOf(value);
  // An empty field is unfinished too; a button removes the value.
  const isOnTheWay = text.trim() !== "" && readNumber(text, isInteger) === null;
  return (
    <TextInput
      id={id}
      inputMode={isInteger ? "numeric" : "decimal"}
      value={text}
      placeholder={emptyWord(value, usual)}
      error={isOnTheWay ? describeNumber(isInteger) : isInvalid}
      onBlur={() => {
        if (!isOnTheWay) setTyped(null);
      }}
      onChange={({ currentTarget }) => {
        const read = readNumber(currentTarget.value, isInteger);
        setTyped({ text: currentTarget.value, stands: read ?? value });
        if (read !== null && read !== value) onChange(read);
      }}
    />
  );
}

interface Typed {
  text: string;
  /** The step's value while this text is in the field. */
  stands: unknown;
}

const textOf = (value: unknown) => (typeof value === "number" ? String(value) : "");

const describeNumber = (isInteger: boolean) =>
  isInteger ? "This must be a whole number." : "This must be a number.";

function ChoiceField(props: ScalarInputProps & { choices: readonly (string | number)[] }) {
  const { id, value, usual, choices, isInvalid, onChange } = props;
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
      placeholder={
        isKnown ? "" : typeof value === "string" ? visibleText(value) : emptyWord(value, usual)
      }
      allowDeselect={false}
      error={isInvalid}
      onChange={(text) => onChange(choices.find((choice) => JSON.stringify(choice) === text))}
    />
  );
}
