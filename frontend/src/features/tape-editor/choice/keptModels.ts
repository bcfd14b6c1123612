/** The last model chosen for each agent in each project, kept in this browser. */
import * as v from "valibot";

import { keptList } from "@/lib/keptList";
import { askedProject } from "@/lib/project";

/** Project, agent, model. */
const models = keptList(
  "studio.models-of-agents",
  v.tuple([v.string(), v.string(), v.string()]),
  100,
);

/** The id of the model; `null` if none was chosen. */
export function loadModel(agentId: string | null): string | null {
  const project = askedProject();
  return models.read().find(([where, who]) => where === project && who === agentId)?.[2] ?? null;
}

/** The id of the last model chosen for any agent of the project; `null` if there is none. */
export function loadNewestModel(): string | null {
  const project = askedProject();
  return models.read().find(([where]) => where === project)?.[2] ?? null;
}

/** Remembers a model for the agent's other tapes; `null` goes back to the agent's own. */
export function keepModel(agentId: string, modelId: string | null): void {
  const project = askedProject();
  models.put(
    modelId === null ? null : [project, agentId, modelId],
    ([where, who]) => where === project && who === agentId,
  );
}
