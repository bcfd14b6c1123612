import { Button, Group, Popover } from "@mantine/core";
import { IconGavel } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { describeError } from "@/api/client";
import { modelsQuery } from "@/api/models";
import type { Experiment } from "@/api/types";
import { CheckFields, findCheckProblem, fromCheck, toCheck } from "@/features/checks";
import classes from "@/features/tape-editor/run-n/panel.module.css";
import { useExperimentActions } from "@/features/tape-editor/run-n/useExperimentActions";

/** Judges all branches by another check, without running anything again. */
export function JudgeButton({ experiment }: { experiment: Experiment }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus withArrow width={360}>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconGavel size={14} />}
          onClick={() => setOpen(!isOpen)}
        >
          Pass criterion
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Pass criterion">
        <JudgeForm experiment={experiment} onDone={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function JudgeForm({ experiment, onDone }: { experiment: Experiment; onDone: () => void }) {
  const models = useQuery(modelsQuery());
  const { recheck } = useExperimentActions(experiment.row.id);
  const [check, setCheck] = useState(() => fromCheck(experiment.check));
  const problem = findCheckProblem(check);
  return (
    <form
      className="ts-stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === "") recheck.mutate(toCheck(check), { onSuccess: onDone });
      }}
    >
      <CheckFields check={check} onChange={setCheck} models={models.data ?? []} />
      <p className={`ts-hint ${classes.popoverText}`}>Judgments by people are kept.</p>
      {recheck.isError && (
        <p className={classes.popoverBad} role="alert">
          {describeError(recheck.error)}
        </p>
      )}
      <Group justify="flex-end">
        <Button type="submit" loading={recheck.isPending} disabled={problem !== ""}>
          Judge again
        </Button>
      </Group>
    </form>
  );
}
