import { Button } from "@mantine/core";
import { IconSchool } from "@tabler/icons-react";
import { useNavigate } from "react-router";

import type { Chosen } from "@/features/tapes/bulk/chosen";

/** Leads to the training page, to make a training set from the selected tapes. */
export function TrainingSetButton({ chosen: { conditions } }: { chosen: Chosen }) {
  const navigate = useNavigate();
  const open = () => {
    const params = new URLSearchParams({ tab: "sets", new: "set" });
    const isNamed = "tape_ids" in conditions;
    if (!isNamed) params.set("q", conditions.q ?? "");
    const state = isNamed ? { tapeIds: conditions.tape_ids } : null;
    void navigate(`/training?${params.toString()}`, { state });
  };
  return (
    <Button variant="default" leftSection={<IconSchool size={14} />} onClick={open}>
      Training set…
    </Button>
  );
}
