/** The search field for tapes; it completes the query, and shows where it is wrong. */
import { Combobox, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedCallback, useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { IconSearch } from "@tabler/icons-react";
import { useMemo, useRef, useState } from "react";

import { completionQuery, type QueryMistake } from "@/api/tapeQueries";
import classes from "@/features/tapes/query/query.module.css";
import { QueryHelp } from "@/features/tapes/query/QueryHelp";
import { codePointsBefore, replaceSpan } from "@/features/tapes/query/replaceSpan";
import { useKeys } from "@/lib/keys";
import { visibleText } from "@/lib/visibleText";

const SEND_MS = 250;
const COMPLETE_MS = 100;

interface QueryBarProps {
  value: string;
  mistake: QueryMistake | null;
  onChange: (query: string) => void;
}

export function QueryBar({ value, mistake, onChange }: QueryBarProps) {
  const { text, type, send } = useTyped(value, onChange);
  const [caret, setCaret] = useState(text.length);
  const [isTyping, setTyping] = useState(false);
  /** The arrow keys have moved into the list. */
  const [isChoosing, setChoosing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const list = useCombobox({ onDropdownClose: () => list.resetSelectedOption() });
  const [asked] = useDebouncedValue(`${codePointsBefore(text, caret)} ${text}`, COMPLETE_MS);
  const [askedCaret = "0"] = asked.split(" ", 1);
  const completion = useQuery({
    ...completionQuery(asked.slice(askedCaret.length + 1), Number(askedCaret)),
    enabled: isTyping,
    placeholderData: keepPreviousData,
  });
  const options = completion.data?.options ?? [];
  const isOpen = list.dropdownOpened && isTyping && options.length > 0;
  const bindings = useMemo(
    () => [{ keys: "/", label: "Search tapes", run: () => input.current?.focus() }],
    [],
  );
  useKeys("Tapes", bindings);

  const client = useQueryClient();
  /** Options may belong to an earlier text, so the range to replace is requested again. */
  const take = async (option: string) => {
    setChoosing(false);
    const asks = completionQuery(text, codePointsBefore(text, caret));
    const found = await client.query(asks).catch(() => null);
    const isSameText = input.current?.value === text;
    const fits = found?.options.some((offered) => offered.text === option) === true;
    if (found !== null && fits && isSameText) put(found.start, found.end, option);
  };

  const put = (start: number, end: number, replacement: string) => {
    const replaced = replaceSpan(text, start, end, replacement);
    type(replaced.text);
    setCaret(replaced.caret);
    // After the field contains the new text: earlier, the caret would be set to its end.
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.setSelectionRange(replaced.caret, replaced.caret);
    });
  };

  return (
    <>
      <Combobox store={list} withinPortal onOptionSubmit={(option) => void take(option)}>
        <Combobox.Target
          withExpandedAttribute
          aria-expanded={isOpen}
          // The library's attributes refer to hidden elements: `null` removes them.
          {...(isOpen ? {} : { "aria-controls": null })}
          {...(isOpen && isChoosing ? {} : { "aria-activedescendant": null })}
        >
          <TextInput
            ref={input}
            className={classes.input}
            enterKeyHint="search"
            spellCheck={false}
            aria-label="Search tapes"
            aria-autocomplete="list"
            aria-invalid={mistake !== null}
            placeholder="Search titles, tasks, answers and steps"
            leftSection={<IconSearch size={14} />}
            rightSection={<QueryHelp onPick={(example) => put(0, text.length, example)} />}
            value={text}
            onChange={(event) => {
              type(event.currentTarget.value);
              setCaret(event.currentTarget.selectionStart ?? event.currentTarget.value.length);
              setTyping(true);
              // The options may change, so the marked one is unmarked.
              setChoosing(false);
              list.resetSelectedOption();
              list.openDropdown();
            }}
            onSelect={(event) =>
              setCaret(event.currentTarget.selectionStart ?? event.currentTarget.value.length)
            }
            // Immediately: a search sent later would call the person back from elsewhere.
            onBlur={() => {
              send.flush();
              setTyping(false);
              setChoosing(false);
              list.closeDropdown();
            }}
            onKeyDown={(event) => {
              if (event.key === "ArrowDown" || event.key === "ArrowUp") {
                setTyping(true);
                setChoosing(true);
              }
              if (event.key !== "Enter" && event.key !== "Escape") return;
              const isChosen = list.getSelectedOptionIndex() !== -1;
              if (isOpen && (event.key === "Escape" || isChosen)) return;
              // Both keys return to the list and keep the text; a browser would clear the field.
              event.preventDefault();
              event.currentTarget.blur();
            }}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={!isOpen}>
          <Combobox.Options mah={260} style={{ overflowY: "auto" }} aria-label="Suggestions">
            {options.map((option) => (
              <Combobox.Option key={option.text} value={option.text} className={classes.option}>
                <code>{visibleText(option.text)}</code>
                <span className={`ts-hint ${classes.help}`}>{visibleText(option.help)}</span>
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {mistake !== null && <Mistake text={value} mistake={mistake} onFix={put} />}
    </>
  );
}

interface MistakeProps {
  text: string;
  mistake: QueryMistake;
  onFix: (start: number, end: number, replacement: string) => void;
}

function Mistake({ text, mistake, onFix }: MistakeProps) {
  const { start, end, suggestion, message } = mistake;
  const width = Math.max(1, end - start);
  return (
    <div role="alert" className={`ts-row ${classes.mistake}`}>
      <pre className={`ts-mono ${classes.caret}`}>
        {`${visibleText(text)}\n${" ".repeat(start)}${"^".repeat(width)}`}
      </pre>
      <span>{visibleText(message)}</span>
      {suggestion !== "" && (
        <button type="button" className={classes.fix} onClick={() => onFix(start, end, suggestion)}>
          Write <code>{visibleText(suggestion)}</code>
        </button>
      )}
    </div>
  );
}

/** The typed text, sent after a pause; replaced by a value from elsewhere, but not by its own. */
function useTyped(value: string, onChange: (query: string) => void) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  /** Sent, but not yet returned as the value: more may have been typed meanwhile. */
  const [sent, setSent] = useState<readonly string[]>([]);
  if (value !== known) {
    const at = sent.indexOf(value);
    setKnown(value);
    setSent(at === -1 ? [] : sent.slice(at + 1));
    if (at === -1) setText(value);
  }
  const send = useDebouncedCallback((query: string) => {
    if (query === value) return;
    setSent([...sent, query]);
    onChange(query);
  }, SEND_MS);
  const type = (next: string) => {
    setText(next);
    send(next.trim());
  };
  return { text, type, send };
}
