import { Switch } from "@mantine/core";

import type { OptionFieldsProps } from "@/features/tape-editor/run/optionFields";

export function DebugFields({ choice, change }: OptionFieldsProps) {
  return (
    <>
      <Switch
        label="Step by step: pause after each node run and each action"
        checked={choice.isStepping}
        onChange={({ currentTarget }) => change({ isStepping: currentTarget.checked })}
      />
      <Switch
        label="Reuse recorded answers where a prompt is unchanged"
        checked={choice.reuseRecorded}
        onChange={({ currentTarget }) => change({ reuseRecorded: currentTarget.checked })}
      />
    </>
  );
}
