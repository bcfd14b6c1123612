/** The frame of a field: its name, whether it changed, its recorded value, its problems. */
import { ActionIcon, Tooltip } from "@mantine/core";
import { useCallbackRef } from "@mantine/hooks";
import { IconArrowBackUp, IconBraces, IconHistory, IconX, type Icon } from "@tabler/icons-react";
import { lazy, memo, Suspense, useState, type ReactNode } from "react";

import { useProblems } from "@/features/tape-editor/form/formContext";
import classes from "@/features/tape-editor/form/form.module.css";
import { problemsInside } from "@/features/tape-editor/form/problems";
import { isSameJson } from "@/lib/json";
import { describedText, visibleText } from "@/lib/visibleText";

const WasValue = lazy(async () => ({
  default: (await import("@/features/tape-editor/form/WasValue")).WasValue,
}));

export interface Before {
  /** `undefined`: the field was not there. */
  value: unknown;
}

interface FieldFrameProps {
  id: string;
  name: string;
  pointer: string;
  description: string;
  isRequired: boolean;
  canClear: boolean;
  /** Its parts have their own frames, and show their problems themselves. */
  isGroup: boolean;
  isRaw: boolean;
  value: unknown;
  /** `null` for a step that was not recorded. */
  before: Before | null;
  onChange: (value: unknown) => void;
  onClear: () => void;
  onRaw: (isRaw: boolean) => void;
  children: ReactNode;
}

export function FieldFrame(props: FieldFrameProps) {
  const { id, name, pointer, before, value, isGroup, children } = props;
  const [isWasShown, setWasShown] = useState(false);
  const problems = useProblems();
  const isChanged = before !== null && !isSameJson(value, before.value);
  const wrong = isGroup ? ownProblem(problems, pointer) : problemsInside(problems, pointer);
  return (
    <div
      className={classes.field}
      data-pointer={pointer}
      data-changed={isChanged || undefined}
      data-invalid={wrong.length > 0 || undefined}
      role={isGroup ? "group" : undefined}
      aria-labelledby={isGroup ? `${id}-label` : undefined}
    >
      <div className={`ts-row ${classes.labelRow}`}>
        <Label {...props} />
        <FieldTools
          {...props}
          isChanged={isChanged}
          isWasShown={isWasShown}
          onWas={() => setWasShown(!isWasShown)}
        />
      </div>
      {children}
      {wrong.map((message) => (
        <p key={message} className={classes.problem} role="alert">
          {visibleText(message)}
        </p>
      ))}
      {isChanged && isWasShown && (
        <Suspense fallback={null}>
          <WasValue name={name} before={before.value} value={value} />
        </Suspense>
      )}
    </div>
  );
}

function ownProblem(problems: ReadonlyMap<string, string>, pointer: string): string[] {
  const message = problems.get(pointer);
  return message === undefined ? [] : [message];
}

/** Items of a list are never marked as required. */
const IS_ITEM = /^\d+$/;

function Label({ id, name, description, isRequired, isGroup, isRaw }: FieldFrameProps) {
  const text = (
    <>
      {visibleText(name)}
      {isRequired && !IS_ITEM.test(name) && (
        <span className={`ts-caption ${classes.required}`}> required</span>
      )}
    </>
  );
  return (
    <>
      {isGroup || isRaw ? (
        <span id={`${id}-label`} className={`ts-mono ${classes.label}`}>
          {text}
        </span>
      ) : (
        <label htmlFor={id} className={`ts-mono ${classes.label}`}>
          {text}
        </label>
      )}
      {description !== "" && (
        <span
          className={`ts-truncate ts-caption ${classes.description}`}
          title={describedText(description)}
        >
          {describedText(description)}
        </span>
      )}
    </>
  );
}

interface FieldToolsProps extends FieldFrameProps {
  isChanged: boolean;
  isWasShown: boolean;
  onWas: () => void;
}

function FieldTools(props: FieldToolsProps) {
  const { name, before, isChanged, isWasShown, canClear, isRaw, onWas, onChange, onClear } = props;
  return (
    <span className={`ts-inline ${classes.tools}`}>
      {isChanged && before !== null && (
        <>
          <span className={classes.changed}>changed</span>
          <Tool
            label={`Recorded value of ${name}`}
            icon={IconHistory}
            isPressed={isWasShown}
            onClick={onWas}
          />
          <Tool
            label={`Reset ${name}`}
            icon={IconArrowBackUp}
            onClick={() => onChange(before.value)}
          />
        </>
      )}
      {canClear && <Tool label={`Clear ${name}`} icon={IconX} onClick={onClear} />}
      <Tool
        label={`${name} as JSON`}
        icon={IconBraces}
        isPressed={isRaw}
        onClick={() => props.onRaw(!isRaw)}
      />
    </span>
  );
}

interface ToolProps {
  label: string;
  icon: Icon;
  isPressed?: boolean;
  onClick: () => void;
}

/** A tooltip is expensive to draw: it must not be drawn again on every key press next to it. */
export function Tool({ onClick, ...look }: ToolProps) {
  return <ToolLook {...look} onClick={useCallbackRef(onClick)} />;
}

const ToolLook = memo(function ToolLook({ label, icon: Look, isPressed, onClick }: ToolProps) {
  return (
    <Tooltip label={visibleText(label)} openDelay={400}>
      <ActionIcon
        size={20}
        variant="subtle"
        color={isPressed === true ? "indigo" : "gray"}
        aria-label={visibleText(label)}
        {...(isPressed === undefined ? {} : { "aria-pressed": isPressed })}
        onClick={onClick}
      >
        <Look size={14} />
      </ActionIcon>
    </Tooltip>
  );
});
