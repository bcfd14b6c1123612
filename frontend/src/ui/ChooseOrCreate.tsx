/** A list of names to choose from, opened by a button; a missing name can be created. */
import { Combobox, useCombobox } from "@mantine/core";
import { useId } from "@mantine/hooks";
import { IconCheck, IconPlus } from "@tabler/icons-react";
import { useEffect, useRef, useState, type ReactElement } from "react";

import classes from "@/ui/ChooseOrCreate.module.css";
import { visibleText } from "@/lib/visibleText";

export interface Choice {
  id: string;
  name: string;
  /** Already chosen; choosing it again removes it. */
  isOn?: boolean;
}

/** The props for the button that opens the list. */
export interface Opener {
  onClick: () => void;
  loading: boolean;
  "aria-haspopup": "listbox";
  "aria-expanded": boolean;
}

interface ChooseOrMakeProps {
  opener: (props: Opener) => ReactElement;
  /** What the names stand for: "dataset". */
  noun: string;
  /** `undefined` while loading. */
  choices: readonly Choice[] | undefined;
  /** Why they could not be loaded; `null` without a failure. */
  problem: string | null;
  /** The last choice is still being carried out. */
  isBusy: boolean;
  onOpen: () => void;
  onChoose: (choice: Choice) => void;
  onMake: (name: string) => void;
  /** Other actions, each with its own label. */
  more?: readonly { id: string; words: string; run: () => void }[];
}

const MOST_SHOWN = 50;
const MAKE = "make";

export function ChooseOrCreate(props: ChooseOrMakeProps) {
  const { opener, noun, isBusy, more = [] } = props;
  const choices = props.choices ?? [];
  const placeholder = `Find a ${noun} or name a new one`;
  const [typed, setTyped] = useState("");
  const list = useCombobox({
    onDropdownOpen: () => {
      props.onOpen();
      list.focusSearchInput();
    },
    onDropdownClose: (source) => {
      setTyped("");
      list.resetSelectedOption();
      // After a click elsewhere, the focus stays there.
      if (source !== "keyboard") return;
      list.focusTarget();
      returnsFocus.current = true;
    },
  });
  const returnsFocus = useRef(false);
  const { focusTarget, selectFirstOption, resetSelectedOption } = list;
  useEffect(() => {
    // A busy button is disabled and thereby loses the focus.
    if (isBusy || !returnsFocus.current) return;
    returnsFocus.current = false;
    if (document.activeElement === document.body) focusTarget();
  }, [isBusy, focusTarget]);
  // Mantine knows its own id of the list only when it draws for another reason once more.
  const listId = useId();
  const wanted = typed.trim();
  const fitting = choices.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  const canMake = wanted !== "" && !choices.some(({ name }) => name === wanted);
  useEffect(() => {
    // Enter takes the first match.
    if (wanted === "") resetSelectedOption();
    else selectFirstOption();
  }, [wanted, selectFirstOption, resetSelectedOption]);

  const submit = (value: string) => {
    list.closeDropdown("keyboard");
    const choice = choices.find(({ id }) => id === value);
    if (choice !== undefined) props.onChoose(choice);
    else if (value === MAKE) props.onMake(wanted);
    else more.find(({ id }) => id === value)?.run();
  };
  return (
    <Combobox store={list} position="bottom-start" width={280} onOptionSubmit={submit}>
      <Combobox.Target withAriaAttributes={false}>
        {opener({
          onClick: () => list.toggleDropdown(),
          loading: isBusy,
          "aria-haspopup": "listbox",
          "aria-expanded": list.dropdownOpened,
        })}
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          role="combobox"
          aria-expanded={list.dropdownOpened}
          aria-controls={listId}
          aria-label={placeholder}
          placeholder={placeholder}
          maxLength={200}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Notice {...props} />
        <Combobox.Options id={listId} className={classes.options} aria-label={`Which ${noun}`}>
          {fitting.slice(0, MOST_SHOWN).map((choice) => (
            <Combobox.Option
              key={choice.id}
              value={choice.id}
              className="ts-row"
              aria-checked={choice.isOn}
            >
              <span className={`ts-truncate ${classes.name}`}>{visibleText(choice.name)}</span>
              {choice.isOn === true && <IconCheck size={14} aria-label="Selected" />}
            </Combobox.Option>
          ))}
          {canMake && (
            <Combobox.Option value={MAKE} className="ts-row">
              <IconPlus size={14} aria-hidden="true" />
              <span className={`ts-truncate ${classes.name}`}>Create “{visibleText(wanted)}”</span>
            </Combobox.Option>
          )}
          {wanted === "" &&
            more.map(({ id, words }) => (
              <Combobox.Option key={id} value={id} className={classes.more}>
                {words}
              </Combobox.Option>
            ))}
        </Combobox.Options>
        {fitting.length > MOST_SHOWN && (
          <Combobox.Footer>{fitting.length - MOST_SHOWN} more: type to narrow</Combobox.Footer>
        )}
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** Shown above the list, whose children must be options: loading, failed or empty. */
function Notice({ noun, choices, problem }: ChooseOrMakeProps) {
  if (choices !== undefined && choices.length > 0) return null;
  const words = choices === undefined ? `Loading the ${noun}s` : `No ${noun} yet: type a name`;
  return (
    <Combobox.Empty role={problem === null ? "status" : "alert"}>{problem ?? words}</Combobox.Empty>
  );
}
