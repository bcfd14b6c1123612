/** Chooses the reward that compares attempts of a group, and how weights are computed from it. */
import { Checkbox, Select } from "@mantine/core";

import type { Reward, SetDraft } from "@/features/training/setDraft";

const REWARDS: { value: Reward; label: string }[] = [
  { value: "outcome", label: "Outcome: 1 for pass, 0 for fail" },
  { value: "score", label: "Score of the tape" },
  { value: "annotations", label: "Mean of the scores of the whole tape" },
];

interface RewardFieldsProps {
  draft: SetDraft;
  onChange: (part: Partial<SetDraft>) => void;
}

export function RewardFields({ draft, onChange }: RewardFieldsProps) {
  return (
    <>
      <Select
        label="Reward"
        description="Tapes without one are left out, and so are groups whose rewards are all equal"
        allowDeselect={false}
        data={REWARDS}
        value={draft.reward}
        onChange={(value) =>
          onChange({ reward: REWARDS.find((one) => one.value === value)?.value ?? draft.reward })
        }
      />
      <Checkbox
        label="Divide by the spread of the group"
        description="On: GRPO. Off: Dr. GRPO, where nearly equal groups weigh less"
        checked={draft.dividesBySpread}
        onChange={({ currentTarget }) => onChange({ dividesBySpread: currentTarget.checked })}
      />
    </>
  );
}
