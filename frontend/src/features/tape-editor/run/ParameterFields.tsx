import { NumberInput, Textarea } from "@mantine/core";

import type { OptionFieldsProps } from "@/features/tape-editor/run/optionFields";
import { numberOf } from "@/lib/typed";
import classes from "@/features/tape-editor/run/options.module.css";
import { readParameters } from "@/features/tape-editor/choice";

export function ParameterFields({ choice, change }: OptionFieldsProps) {
  const { problem } = readParameters(choice);
  return (
    <>
      <div className={classes.row}>
        <NumberInput
          className={classes.number}
          label="Top p"
          placeholder="default"
          hideControls
          min={0}
          max={1}
          decimalScale={3}
          value={choice.topP ?? ""}
          onChange={(value) => change({ topP: numberOf(value) })}
        />
        <NumberInput
          className={classes.number}
          label="Max tokens"
          placeholder="default"
          hideControls
          min={1}
          allowDecimal={false}
          value={choice.maxTokens ?? ""}
          onChange={(value) => change({ maxTokens: numberOf(value) })}
        />
        <NumberInput
          className={classes.number}
          label="Seed"
          placeholder="none"
          hideControls
          allowDecimal={false}
          value={choice.seed ?? ""}
          onChange={(value) => change({ seed: numberOf(value) })}
        />
      </div>
      <Textarea
        label="Other parameters as JSON"
        placeholder={'{"stop": ["END"]}'}
        classNames={{ input: classes.mono }}
        autosize
        minRows={1}
        maxRows={6}
        spellCheck={false}
        value={choice.otherParameters}
        error={problem === "" ? null : problem}
        onChange={({ currentTarget }) => change({ otherParameters: currentTarget.value })}
      />
    </>
  );
}
