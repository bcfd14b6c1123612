/** Chooses which cells are highlighted: a condition on a column, and a color with its icon. */
import { ActionIcon, Button, Popover, Select, TextInput } from "@mantine/core";
import { IconHighlight, IconX } from "@tabler/icons-react";
import { useState, type SyntheticEvent } from "react";

import {
  COMPARISONS,
  TONES,
  type Comparison,
  type Mark,
  type Tone,
} from "@/features/tapes/table/look";
import classes from "@/features/tapes/table/table.module.css";
import { describeMark, TONE_WORDS } from "@/features/tapes/table/tableColumns";
import { TAPE_COLUMNS } from "@/features/tapes/table/tapeColumns";
import { visibleText } from "@/lib/visibleText";

interface MarksMenuProps {
  marks: readonly Mark[];
  onChange: (marks: readonly Mark[]) => void;
}

export function MarksMenu({ marks, onChange }: MarksMenuProps) {
  return (
    <Popover position="bottom-end" width={320} trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconHighlight size={14} />}>
          Highlights{marks.length > 0 && ` (${marks.length})`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Highlights">
        {marks.length === 0 ? (
          <p className={classes.note}>Highlight the cells that matter, such as cost &gt; 0.05.</p>
        ) : (
          <ul className={`ts-column ${classes.marks}`}>
            {marks.map((mark, at) => (
              <li key={at} className={`ts-row ${classes.markLine}`}>
                <span className={`ts-inline ${classes.mark}`} data-tone={mark.tone}>
                  <span>{visibleText(describeMark(mark))}</span>
                </span>
                <ActionIcon
                  color="gray"
                  aria-label={`Remove ${visibleText(describeMark(mark))}`}
                  onClick={() => onChange(marks.filter((_, index) => index !== at))}
                >
                  <IconX size={14} />
                </ActionIcon>
              </li>
            ))}
          </ul>
        )}
        <MarkForm onAdd={(mark) => onChange([...marks, mark])} />
      </Popover.Dropdown>
    </Popover>
  );
}

const CHOICES = TAPE_COLUMNS.filter(({ value }) => value !== undefined).map(({ id, label }) => ({
  value: id,
  label,
}));
const TONE_CHOICES = TONES.map((tone) => ({ value: tone, label: capital(TONE_WORDS[tone]) }));

function MarkForm({ onAdd }: { onAdd: (mark: Mark) => void }) {
  const [column, setColumn] = useState("cost");
  const [comparison, setComparison] = useState<Comparison>(">");
  const [value, setValue] = useState("");
  const [tone, setTone] = useState<Tone>("bad");
  const add = (event: SyntheticEvent) => {
    event.preventDefault();
    onAdd({ column, comparison, value: value.trim(), tone });
    setValue("");
  };
  return (
    <form className={classes.markForm} onSubmit={add}>
      <Select
        label="Column"
        data={CHOICES}
        value={column}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        onChange={(chosen) => chosen !== null && setColumn(chosen)}
      />
      <Select
        label="Is"
        data={[...COMPARISONS]}
        value={comparison}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        onChange={(chosen) => chosen !== null && setComparison(chosen)}
      />
      <TextInput
        label="Value"
        value={value}
        maxLength={200}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <Select
        label="Color"
        data={TONE_CHOICES}
        value={tone}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        onChange={(chosen) => chosen !== null && setTone(chosen)}
      />
      <Button type="submit" disabled={value.trim() === ""}>
        Add highlight
      </Button>
    </form>
  );
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
