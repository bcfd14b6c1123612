/** The form that a form filler's dialogue is about, as it is after a step; it follows a run. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import {
  IconAlertCircle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconDoorExit,
  IconForms,
  IconHelpCircle,
  IconPencil,
  IconSearch,
  IconSend,
} from "@tabler/icons-react";

import { describeError } from "@/api/client";
import { formQuery } from "@/api/tapes";
import type { FormView } from "@/api/types";
import { type StepRow, useActions, useTapeModel } from "@/features/tape-editor/editor";
import classes from "@/features/tape-editor/inspector/form.module.css";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PlainText } from "@/ui/parts/PlainText";
import { BAD, GOOD, QUIET, StateBadge, type StateLook, WARN } from "@/ui/StateBadge";
import { EmptyState, ErrorState, RowsSkeleton } from "@/ui/States";

type Slot = FormView["slots"][number];

const ACCENT = "var(--ts-accent)";
const STAGES: Record<FormView["stage"], StateLook> = {
  looking: { word: "looking for a form", icon: IconSearch, colour: QUIET },
  choosing: { word: "choosing a form", icon: IconSearch, colour: ACCENT },
  filling: { word: "filling in", icon: IconPencil, colour: ACCENT },
  confirming: { word: "to be confirmed", icon: IconHelpCircle, colour: WARN },
  confirmed: { word: "confirmed", icon: IconSend, colour: GOOD },
  submitted: { word: "submitted", icon: IconCircleCheck, colour: GOOD },
  exited: { word: "left", icon: IconDoorExit, colour: QUIET },
};
const STATES: Record<Slot["state"], StateLook> = {
  filled: { word: "filled", icon: IconCircleCheck, colour: GOOD },
  skipped: { word: "skipped", icon: IconCircleMinus, colour: QUIET },
  outstanding: { word: "outstanding", icon: IconCircleDashed, colour: QUIET },
  invalid: { word: "invalid", icon: IconAlertCircle, colour: BAD },
};

/** Without a chosen step, the form is shown as the last step leaves it. */
export function FormTab({ row }: { row: StepRow | undefined }) {
  const { tape, outline, editedAt } = useTapeModel();
  const position = row === undefined ? outline.length - 1 : row.slot.origin;
  const form = useQuery({
    ...formQuery(tape.id, position ?? 0),
    enabled: position !== null && position >= 0,
    // While a run adds steps, the form changes in place.
    placeholderData: keepPreviousData,
  });
  if (position === null) {
    return (
      <EmptyState title="No form yet" icon={ICON}>
        An inserted step counts once the draft is saved or resumed.
      </EmptyState>
    );
  }
  if (form.isPending) return <RowsSkeleton rows={6} label="Loading the form" />;
  if (form.isError) {
    return (
      <ErrorState
        title="The form could not be loaded"
        message={describeError(form.error)}
        onRetry={() => void form.refetch()}
      />
    );
  }
  if (form.data === null) {
    return (
      <EmptyState title="No form yet" icon={ICON}>
        No step until here is about a form. Select a later one.
      </EmptyState>
    );
  }
  const isEdited = editedAt !== null && (row?.index ?? outline.length) >= editedAt;
  return (
    <>
      {isEdited && <p className={`ts-hint ${classes.note}`}>As recorded, without your draft.</p>}
      <Form form={form.data} />
    </>
  );
}

const ICON = <IconForms size={24} stroke={1.5} />;

function Form({ form }: { form: FormView }) {
  const done = form.slots.filter(({ state }) => state === "filled" || state === "skipped").length;
  return (
    <section aria-label="Form">
      <header className={classes.head}>
        <h2 className={classes.name}>
          {form.name === "" ? "No form chosen yet" : visibleText(form.name)}
        </h2>
        <StateBadge look={STAGES[form.stage]} />
        {form.slots.length > 0 && (
          <span className="ts-hint ts-number">
            {done} of {countOf(form.slots.length, "slot")} done
          </span>
        )}
      </header>
      {form.illegal !== null && <Illegal illegal={form.illegal} />}
      {form.slots.length > 0 && (
        <ul className={classes.slots} aria-label="Slots">
          {form.slots.map((slot) => (
            <SlotItem key={slot.name} slot={slot} />
          ))}
        </ul>
      )}
      <Candidates form={form} />
      {form.description !== "" && (
        <div className={classes.description}>
          <PlainText slot="form description" text={form.description} />
        </div>
      )}
    </section>
  );
}

function Illegal({ illegal }: { illegal: NonNullable<FormView["illegal"]> }) {
  const { slots } = useTapeModel();
  const { select } = useActions();
  const index = slots.findIndex(({ origin }) => origin === illegal.position);
  return (
    <div className={classes.illegal}>
      <p>
        <button
          type="button"
          className={classes.link}
          disabled={index < 0}
          onClick={() => select(index)}
        >
          Step {illegal.position}
        </button>
        , <span className="ts-mono">{visibleText(illegal.kind)}</span>, may not come there:{" "}
        {visibleText(illegal.reason)}
      </p>
      <p className="ts-hint">The form is shown as it was before. Edit that step and resume.</p>
    </div>
  );
}

function SlotItem({ slot }: { slot: Slot }) {
  return (
    <li className={classes.slot} data-asked={slot.is_asked_for || undefined}>
      <div className={classes.slotHead}>
        <span className={`ts-mono ${classes.slotName}`} title={slot.description}>
          {visibleText(slot.name)}
        </span>
        <span className="ts-hint">
          {slot.type}
          {slot.is_required && ", required"}
          {slot.is_asked_for && ", asked for"}
        </span>
        <StateBadge look={STATES[slot.state]} />
      </div>
      {slot.value !== null && <div className={classes.value}>{showValue(slot.value)}</div>}
      <Refused slot={slot} />
    </li>
  );
}

function Refused({ slot: { refused, reason } }: { slot: Slot }) {
  if (refused === "" && reason === "") return null;
  const isQuoted = refused !== "" && !reason.includes(refused);
  return (
    <div className={classes.refused}>
      {isQuoted && <q>{visibleText(refused)}</q>} {visibleText(reason)}
    </div>
  );
}

function showValue(value: unknown): string {
  return visibleText(typeof value === "string" ? value : JSON.stringify(value));
}

function Candidates({ form }: { form: FormView }) {
  const { candidates, candidate_count: count } = form;
  if (candidates.length === 0) return null;
  return (
    <>
      <p className={`ts-hint ${classes.note}`}>
        {candidates.length < count
          ? `The first ${candidates.length} of ${countOf(count, "form")} that may be meant`
          : `${countOf(count, "form")} may be meant`}
      </p>
      <ul className={classes.slots} aria-label="Candidates">
        {candidates.map((one, at) => (
          <li key={at} className={classes.slot}>
            <div className={`ts-mono ${classes.slotName}`}>{visibleText(one.name)}</div>
            <div className={classes.candidate}>{visibleText(one.description)}</div>
          </li>
        ))}
      </ul>
    </>
  );
}
