/** The Run N dialog: where to fork, how often, on which models, and what passes. */
import { Alert, Button, Modal } from "@mantine/core";
import { IconVersions } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";

import { useChecked } from "@/api/checking";
import { describeError, problemAt } from "@/api/client";
import { experimentCheckQuery, experimentKeys, startExperiment } from "@/api/experiments";
import { familyKeys } from "@/api/families";
import { jobKeys } from "@/api/jobs";
import type { Fix } from "@/api/types";
import { CheckFields } from "@/features/checks";
import type { Autosave } from "@/features/tape-editor/saving";
import { findUnsaved, useEditor, useTapeModel } from "@/features/tape-editor/editor";
import { useFixes } from "@/features/tape-editor/fixes";
import { countRuns, findProblem, firstPlan, toRequest } from "@/features/tape-editor/run-n/plan";
import { BudgetPart, HowPart, WhatPart, WhoPart } from "@/features/tape-editor/run-n/PlanFields";
import { RunsEstimate } from "@/features/tape-editor/run-n/RunsEstimate";
import classes from "@/features/tape-editor/run-n/dialog.module.css";
import type { RunN } from "@/features/tape-editor/run-n/useRunN";
import { useRunSetup } from "@/features/tape-editor/run";
import { countOf } from "@/lib/format";

interface RunNDialogProps {
  runN: RunN;
  /** The step that is chosen on the tape. */
  step: number | null;
  autosave: Autosave;
}

export function RunNDialog({ runN, step, autosave }: RunNDialogProps) {
  const edited = useFixes().flatMap(({ fix, editCount }) => (editCount > 0 ? fix : []));
  return (
    <Modal
      opened={runN.isAsking}
      onClose={runN.stopAsking}
      title="Run N"
      size={760}
      classNames={{ title: classes.title, body: classes.body }}
    >
      {/* The key makes a new form when fixes load late, so that they are part of the plan. */}
      <RunNForm key={edited.join("")} runN={runN} step={step} autosave={autosave} fixes={edited} />
    </Modal>
  );
}

function RunNForm({ runN, step, autosave, fixes }: RunNDialogProps & { fixes: readonly Fix[] }) {
  const setup = useRunSetup();
  const { tape, slots, outline } = useTapeModel();
  const tabs = useFixes();
  const chosen = slots.at(step ?? slots.length - 1)?.origin ?? outline.length - 1;
  const [plan, setPlan] = useState(() =>
    firstPlan({
      step: Math.max(0, chosen),
      stepCount: outline.length,
      fixes,
      expected: tape.expected,
      count: runN.count,
      choice: setup.choice,
    }),
  );
  const start = useStart(runN, autosave);
  const { versionId } = setup;
  const problem = versionId === null ? "Choose an agent." : findProblem(plan);
  // Edits that are not saved yet would be missing from what is checked.
  const isSaved = useEditor((editor) => findUnsaved(editor) === null);
  const request = useMemo(
    () =>
      problem === "" && versionId !== null && isSaved
        ? toRequest(plan, setup.choice, versionId)
        : null,
    [problem, versionId, isSaved, plan, setup.choice],
  );
  // Start does not wait for it: all branches start or none, so a check that is late costs nothing.
  const { check } = useChecked(request, (body) => experimentCheckQuery(tape.id, body));
  const isOff = problem !== "" || versionId === null || check.isError;
  const runs = countRuns(plan);
  const fields = {
    plan,
    change: (part: Partial<typeof plan>) => setPlan((before) => ({ ...before, ...part })),
    setup,
  };
  return (
    <form
      aria-label="Run N"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isOff) start.mutate(toRequest(plan, setup.choice, versionId));
      }}
    >
      <div className={classes.parts}>
        <div className={`ts-column ${classes.column}`}>
          <WhatPart {...fields} stepCount={outline.length} tabs={tabs} />
          <section className={`ts-stack ${classes.part}`} aria-labelledby="run-n-check">
            <h3 id="run-n-check" className={classes.heading}>
              Pass criterion
            </h3>
            <CheckFields
              check={plan.check}
              onChange={(check) => fields.change({ check })}
              models={setup.models}
            />
          </section>
          <BudgetPart {...fields} moneyProblem={problemAt(check.error, "budget.micro_usd")} />
        </div>
        <div className={`ts-column ${classes.column}`}>
          <WhoPart {...fields} />
          <HowPart {...fields} />
        </div>
      </div>
      {start.isError && (
        <Alert color="red" title="Nothing was started" role="alert" mt={12}>
          {describeError(start.error)}
        </Alert>
      )}
      <footer className={`ts-row ${classes.foot}`}>
        <div className={classes.total} role="status">
          <strong>{countOf(runs, "run")}</strong>
          <RunsEstimate plan={plan} setup={setup} />
          {problem !== "" && <span className={classes.problem}>{problem}</span>}
          {check.isError && <span className={classes.problem}>{describeError(check.error)}</span>}
        </div>
        <Button variant="default" onClick={runN.stopAsking}>
          Cancel
        </Button>
        <Button
          type="submit"
          leftSection={<IconVersions size={14} />}
          loading={start.isPending}
          disabled={isOff}
        >
          Start {countOf(runs, "run")}
        </Button>
      </footer>
    </form>
  );
}

function useStart(runN: RunN, autosave: Autosave) {
  const { tape } = useTapeModel();
  const queries = useQueryClient();
  const isSaved = useEditor((editor) => findUnsaved(editor) === null);
  return useMutation({
    mutationFn: async (body: Parameters<typeof startExperiment>[1]) => {
      if (!isSaved && !(await autosave.flush())) {
        throw new Error("The draft is not saved yet; try again in a moment.");
      }
      return startExperiment(tape.id, body);
    },
    onSuccess: (experiment) => {
      queries.setQueryData(experimentKeys.one(experiment.row.id), experiment);
      void queries.invalidateQueries({ queryKey: experimentKeys.ofTape(tape.id) });
      void queries.invalidateQueries({ queryKey: familyKeys.all });
      void queries.invalidateQueries({ queryKey: jobKeys.all });
      runN.open(experiment.row.id);
    },
  });
}
