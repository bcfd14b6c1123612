/** What can be done to an experiment; each response replaces the cached experiment. */
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import {
  cancelExperiment,
  changeBranch,
  experimentKeys,
  labelForTraining,
  labelPair,
  recheckExperiment,
  retryExperiment,
} from "@/api/experiments";
import { familyKeys } from "@/api/families";
import { showFailure } from "@/api/showFailure";
import type {
  Branch,
  BranchPatch,
  Experiment,
  ExperimentBudget,
  ExperimentCheck,
} from "@/api/types";

export function useExperimentActions(id: string) {
  const queries = useQueryClient();
  const onSuccess = (experiment: Experiment) => {
    queries.setQueryData(experimentKeys.one(id), experiment);
  };
  const cancel = useMutation({
    mutationFn: () => cancelExperiment(id),
    onSuccess,
    onError: (error) => showFailure("Nothing was stopped", error),
  });
  const retry = useMutation({
    mutationFn: (budget: ExperimentBudget | null) => retryExperiment(id, budget),
    onSuccess,
  });
  const recheck = useMutation({
    mutationFn: (check: ExperimentCheck | null) => recheckExperiment(id, check),
    onSuccess,
  });
  const change = useMutation({
    mutationFn: ({ number, patch }: { number: number; patch: BranchPatch }) =>
      changeBranch(id, number, patch),
    onMutate: ({ number, patch }) => {
      queries.setQueryData(experimentKeys.one(id), (before: Experiment | undefined) =>
        before === undefined ? before : withBranch(before, number, patchedBy(patch)),
      );
    },
    onError: (error) => showFailure("The branch was not changed", error),
    // The rates depend on all branches, so the server computes them.
    onSettled: (_, __, { patch }) => {
      void queries.invalidateQueries({ queryKey: experimentKeys.one(id) });
      if (patch.is_pinned !== undefined) {
        void queries.invalidateQueries({ queryKey: familyKeys.all });
      }
    },
  });
  const train = useMutation({
    mutationFn: (best: number) => labelForTraining(id, best),
    onSuccess: (_, best) => notify(`Branch ${best} is labeled for the training set.`),
    onError: (error) => showFailure("The branch was not labeled", error),
  });
  const pair = useMutation({
    mutationFn: ({ best, worst }: { best: number; worst: number }) => labelPair(id, best, worst),
    onSuccess: (_, { best, worst }) =>
      notify(`Branch ${best} is saved as the better one of a pair, branch ${worst} as the worse.`),
    onError: (error) => showFailure("The pair was not saved", error),
  });
  return { cancel, retry, recheck, change, train, pair };
}

function withBranch(
  experiment: Experiment,
  number: number,
  patched: (branch: Branch) => Branch,
): Experiment {
  const branches = experiment.branches.map((branch) =>
    branch.number === number ? patched(branch) : branch,
  );
  return { ...experiment, branches };
}

/** Shown immediately; the server's response follows. */
export function patchedBy(patch: BranchPatch): (branch: Branch) => Branch {
  return (branch) => ({
    ...branch,
    ...(typeof patch.is_pinned === "boolean" ? { is_pinned: patch.is_pinned } : {}),
    ...(patch.passed === undefined ? {} : judged(patch.passed)),
  });
}

function judged(passed: boolean | null): Partial<Branch> {
  if (passed === null) return { passed, score: null, judged_as: "", judged_by: "", reason: "" };
  return { passed, score: Number(passed), judged_as: "person" };
}

function notify(message: string): void {
  notifications.show({ message, autoClose: 4000, withBorder: true });
}
