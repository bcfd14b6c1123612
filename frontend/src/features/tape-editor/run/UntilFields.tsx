import { NumberInput, Select } from "@mantine/core";

import { IN_PANEL, type OptionFieldsProps } from "@/features/tape-editor/run/optionFields";
import classes from "@/features/tape-editor/run/options.module.css";
import { numberOf } from "@/lib/typed";

const UNTIL = [
  { value: "end", label: "To the end" },
  { value: "next_action", label: "Until the next action" },
  { value: "next_node", label: "One node run" },
  { value: "step", label: "Until step …" },
] as const;

export function UntilFields({ choice, change }: OptionFieldsProps) {
  return (
    <div className={classes.row}>
      <Select
        comboboxProps={IN_PANEL}
        className={classes.wide}
        label="Until"
        allowDeselect={false}
        data={[...UNTIL]}
        value={choice.until}
        onChange={(chosen) =>
          change({ until: UNTIL.find(({ value }) => value === chosen)?.value ?? "end" })
        }
      />
      {choice.until === "step" && (
        <NumberInput
          className={classes.number}
          label="Step"
          min={0}
          allowDecimal={false}
          value={choice.untilStep ?? ""}
          error={choice.untilStep === null}
          onChange={(value) => change({ untilStep: numberOf(value) })}
        />
      )}
      <NumberInput
        className={classes.number}
        label="At most"
        suffix=" turns"
        min={1}
        max={1000}
        allowDecimal={false}
        value={choice.maxTurns}
        onChange={(value) => change({ maxTurns: numberOf(value) ?? 20 })}
      />
    </div>
  );
}
