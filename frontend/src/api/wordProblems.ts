/** Word problems with known answers, and the agents that solve them. */
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { agentKeys, agentsQuery } from "@/api/agents";
import { client, unwrap } from "@/api/client";
import { datasetKeys } from "@/api/datasets";
import { startRerun } from "@/api/reruns";

export const SOLVER = "math";

interface Problems {
  split: "train" | "test";
  count: number;
  seed: number;
}

/** Make a dataset of the problems of each split; an existing one is kept. */
export function useMakeProblems() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (wanted: readonly Problems[]) => {
      for (const body of wanted) {
        await unwrap(
          client.POST("/api/v1/datasets/word-problems", { body: { ...body, dataset: "" } }),
        );
      }
    },
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: datasetKeys.all });
      await queries.invalidateQueries({ queryKey: agentKeys.all });
    },
  });
}

interface Examination {
  dataset: string;
  batch: string;
  /** A model to use instead of the agent's own. */
  modelId?: string;
}

/** Run the solver on the problems of datasets, into a separate batch for each. */
export function useRunSolver() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (wanted: readonly Examination[]) => {
      const agents = await queries.query(agentsQuery());
      const solver = agents.find(({ name }) => name === SOLVER);
      if (solver === undefined) throw new Error("The agent math is no longer in this project.");
      for (const { dataset, batch, modelId } of wanted) {
        await startRerun({
          q: `dataset:${dataset}`,
          agent_version_id: solver.latest_version_id,
          batch_name: batch,
          ...(modelId !== undefined && { model_id: modelId }),
          max_turns: 20,
          tools: { default: "live" },
          until: { kind: "end" },
          budget: {},
        });
      }
    },
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ["reruns"] });
      await queries.invalidateQueries({ queryKey: ["batches"] });
    },
  });
}
