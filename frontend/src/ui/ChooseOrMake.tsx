/** A list of names to choose from, opened by a button; a name that is not there can be made. */
import { Combobox, useCombobox } from "@mantine/core";
import { IconCheck, IconPlus } from "@tabler/icons-react";
import { useEffect, useRef, useState, type ReactElement } from "react";

import classes from "@/ui/ChooseOrMake.module.css";
import { visibleText } from "@/lib/visibleText";

export interface Choice {
  id: string;
  name: string;
  /** It is chosen already; choosing it again takes that back. */
  isOn?: boolean;
}

/** What the button that opens the list needs. */
export interface Opener {
  onClick: () => void;
  loading: boolean;
  "aria-haspopup": "listbox";
  "aria-expanded": boolean;
}

interface ChooseOrMakeProps {
  opener: (props: Opener) => ReactElement;
  /** What the names are of: "dataset". */
  noun: string;
  /** `undefined`: not loaded yet. */
  choices: readonly Choice[] | undefined;
  /** Why they could not be loaded; `null`: they could. */
  problem: string | null;
  /** What was chosen is being done. */
  isBusy: boolean;
  onOpen: () => void;
  onChoose: (choice: Choice) => void;
  onMake: (name: string) => void;
  /** What else can be done; each is said in words of its own. */
  more?: readonly { id: string; words: string; run: () => void }[];
}

const MOST_SHOWN = 50;
const MAKE = "make";

export function ChooseOrMake(props: ChooseOrMakeProps) {
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
      // Whoever clicked elsewhere stays there.
      if (source !== "keyboard") return;
      list.focusTarget();
      returnsFocus.current = true;
    },
  });
  const returnsFocus = useRef(false);
  const { focusTarget, selectFirstOption, resetSelectedOption } = list;
  useEffect(() => {
    // A button that is busy is disabled, and loses the focus by that.
    if (isBusy || !returnsFocus.current) return;
    returnsFocus.current = false;
    if (document.activeElement === document.body) focusTarget();
  }, [isBusy, focusTarget]);
  const wanted = typed.trim();
  const fitting = choices.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  const canMake = wanted !== "" && !choices.some(({ name }) => name === wanted);
  useEffect(() => {
    // The first that fits is what Enter takes.
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
          aria-label={placeholder}
          placeholder={placeholder}
          maxLength={200}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Notice {...props} />
        <Combobox.Options className={classes.options} aria-label={`Which ${noun}`}>
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

/** Above the list, whose children are options alone: they load, could not be, or there is none. */
function Notice({ noun, choices, problem }: ChooseOrMakeProps) {
  if (choices !== undefined && choices.length > 0) return null;
  const words = choices === undefined ? `Loading the ${noun}s` : `No ${noun} yet: type a name`;
  return (
    <Combobox.Empty role={problem === null ? "status" : "alert"}>{problem ?? words}</Combobox.Empty>
  );
}
