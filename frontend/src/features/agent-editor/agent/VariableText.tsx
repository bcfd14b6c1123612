/** A text that offers its variables as one types `{{`, with what each holds. */
import { Combobox, Textarea, type TextareaProps, useCombobox } from "@mantine/core";
import { useId } from "@mantine/hooks";
import { useRef, useState, type KeyboardEvent } from "react";

import classes from "@/features/agent-editor/agentEditor.module.css";
import { offerAt, takeOffer } from "@/features/agent-editor/draft/textVariables";
import { useEdited } from "@/features/agent-editor/editorContext";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

interface VariableTextProps extends Pick<
  TextareaProps,
  "label" | "description" | "placeholder" | "error" | "minRows" | "maxRows"
> {
  value: string;
  onChange: (text: string) => void;
}

export function VariableText({ value, onChange, ...props }: VariableTextProps) {
  const variables = useEdited(({ stored }) => stored.variables);
  const filters = useEdited(({ stored }) => stored.filters);
  const input = useRef<HTMLTextAreaElement>(null);
  /** Where the person types; `null` while nothing is to be offered. */
  const [caret, setCaret] = useState<number | null>(null);
  /** Which of the offered ones is marked: Enter takes it. */
  const [marked, setMarked] = useState(0);
  const listId = useId();
  const offer = caret === null ? null : offerAt(value, caret, variables, filters);
  const options = offer?.options ?? [];
  const isOpen = offer !== null;
  const list = useCombobox({ opened: isOpen });
  const type = (at: number | null) => {
    setCaret(at);
    setMarked(0);
  };
  const take = (name: string) => {
    if (offer === null || caret === null) return;
    const taken = takeOffer(value, caret, offer, name);
    onChange(taken.text);
    setCaret(null);
    // After the field has the new text: earlier, the caret would be set to its end.
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.setSelectionRange(taken.caret, taken.caret);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.nativeEvent.isComposing) return;
    const move = (by: number) => setMarked((marked + by + options.length) % options.length);
    const takeMarked = () => {
      const chosen = options[marked];
      if (chosen !== undefined) take(chosen.name);
    };
    const act = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Enter: takeMarked,
      Tab: takeMarked,
      Escape: () => setCaret(null),
    }[event.key];
    if (act === undefined || event.shiftKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <Combobox store={list} withinPortal onOptionSubmit={take} position="bottom-start">
      <Combobox.Target withAriaAttributes={false} withKeyboardNavigation={false}>
        <Textarea
          ref={input}
          autosize
          {...props}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          {...(isOpen && { "aria-controls": listId })}
          {...(isOpen && { "aria-activedescendant": `${listId}-${marked}` })}
          value={value}
          onChange={({ currentTarget }) => {
            onChange(currentTarget.value);
            type(currentTarget.selectionStart);
          }}
          onSelect={({ currentTarget }) => {
            // A caret that moves away ends it; one that is only put somewhere begins nothing.
            const { selectionStart: at } = currentTarget;
            if (caret !== null && at !== caret) type(at);
          }}
          onBlur={() => setCaret(null)}
          onKeyDown={onKeyDown}
        />
      </Combobox.Target>
      <span role="status" className="ts-visually-hidden">
        {offer !== null &&
          `${countOf(offer.options.length, "suggestion")}: arrow keys choose, Enter inserts`}
      </span>
      <Combobox.Dropdown hidden={!isOpen}>
        <Combobox.Options id={listId} className={classes.offered} aria-label="Variables">
          {options.map(({ name, holds }, at) => (
            <Combobox.Option
              key={name}
              id={`${listId}-${at}`}
              ref={at === marked ? showMarked : undefined}
              value={name}
              aria-selected={at === marked}
              data-combobox-selected={at === marked || undefined}
            >
              <span className="ts-mono">{visibleText(name)}</span>{" "}
              <span className="ts-hint">{visibleText(holds)}</span>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function showMarked(option: HTMLElement | null) {
  option?.scrollIntoView({ block: "nearest" });
}
