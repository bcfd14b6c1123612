/** What the next run will be: the choice, its alternatives, whether it fits, and the estimate. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";

import { agentQuery, agentsQuery } from "@/api/agents";
import { modelsQuery } from "@/api/models";
import type { EstimateIn, Fit, Model } from "@/api/types";
import { isDirty } from "@/features/tape-editor/draft";
import { useEditor, useTapeModel } from "@/features/tape-editor/editor";
import {
  keepChoice,
  loadModel,
  loadNewestModel,
  policyOf,
  type RunChoice,
} from "@/features/tape-editor/choice";
import { estimateQuery, fitQuery, madeWithQuery } from "@/features/tape-editor/run/queries";
import { runPlace, type RunPlace } from "@/features/tape-editor/run/runPlace";

export type RunSetup = ReturnType<typeof useRunSetup>;

const NO_MODELS: readonly Model[] = [];

export function useRunSetup() {
  const { tape, slots, resumeAt, unaffected, outline } = useTapeModel();
  const hasDraft = useEditor(({ draft }) => isDirty(draft));
  const { choice: chosen, change } = useChoice(tape.id);
  const from = useChosenAgent();
  const models = useQuery(modelsQuery());
  const { agentId, needsModel } = from;
  const choice = useMemo(
    () => withModel(chosen, { agentId, needsModel }, models.data ?? NO_MODELS),
    [chosen, agentId, needsModel, models.data],
  );

  const keep = hasDraft && choice.from === "edit" ? (resumeAt ?? slots.length) : slots.length;
  const keepsOthers = hasDraft && choice.from === "edit" && unaffected.size > 0;
  const place = useMemo(
    () => runPlace(slots, outline.length, keep, keepsOthers),
    [slots, outline.length, keep, keepsOthers],
  );
  const fit = useFit(from.versionId, choice.modelId, place);
  const question: EstimateIn = {
    agent_version_id: from.versionId ?? "",
    model_id: choice.modelId,
    from_position: place.workFrom,
    until: choice.until,
    until_position: choice.until === "step" ? choice.untilStep : null,
    reuse_recorded: choice.reuseRecorded,
  };
  const estimate = useQuery({
    ...estimateQuery(tape.id, question, outline.length),
    enabled: from.versionId !== null,
  });
  return {
    choice,
    change,
    ...from,
    models: models.data ?? [],
    hasDraft,
    place,
    fit: fit === null ? null : withoutAnswered(fit, choice),
    /** The body of the estimate request. */
    question,
    estimate: estimate.data ?? null,
  };
}

/** The choice with the id of a model that is here, else `null`: the agent's own.
 *
 * If none was chosen for this tape, it is the last one chosen for the agent. An agent without a
 * model of its own takes the last one chosen for any agent, or the only one that there is.
 */
function withModel(
  choice: RunChoice,
  { agentId, needsModel }: { agentId: string | null; needsModel: boolean },
  models: readonly { id: string }[],
): RunChoice {
  const ids = models.map(({ id }) => id);
  const wanted = [
    choice.modelId ?? loadModel(agentId),
    needsModel ? loadNewestModel() : null,
    needsModel && ids.length === 1 ? ids[0] : null,
  ];
  return { ...choice, modelId: wanted.find((id) => ids.includes(id ?? "")) ?? null };
}

export function useChoice(tapeId: string) {
  const choice = useEditor((editor) => editor.choice);
  const isChosen = useEditor((editor) => editor.isChosen);
  const dispatch = useEditor((editor) => editor.dispatch);
  const made = useQuery({ ...madeWithQuery(tapeId), enabled: !isChosen });
  const found = made.data ?? null;
  useEffect(() => {
    if (found !== null) dispatch({ type: "choice.found", made: found });
  }, [dispatch, found]);
  useEffect(() => {
    if (isChosen) keepChoice(tapeId, choice);
  }, [tapeId, choice, isChosen]);
  const change = (part: Partial<RunChoice>) => dispatch({ type: "choice.changed", part });
  return { choice, change };
}

/** The chosen agent and version, and the available ones. */
export function useChosenAgent() {
  const { tape } = useTapeModel();
  const choice = useEditor((editor) => editor.choice);
  const { agent_id: ownAgent, agent_version_id: ownVersion } = tape;
  const agents = useQuery(agentsQuery());
  const agentId = choice.agentId ?? ownAgent ?? fallbackAgent(agents.data ?? []);
  const agent = useQuery({ ...agentQuery(agentId ?? ""), enabled: agentId !== null });
  const written = agentId === ownAgent ? ownVersion : null;
  const versionId = choice.versionId ?? written ?? agent.data?.default_version_id ?? null;
  const versions = agent.data?.versions ?? [];
  const version = versions.find(({ id }) => id === versionId);
  return {
    agentId,
    versionId,
    agents: agents.data ?? [],
    hasNoAgents: agents.isSuccess && agents.data.length === 0,
    versions,
    spec: version?.spec ?? null,
    /** The agent has no model of its own: the person must choose one. */
    needsModel: version?.needs_model ?? false,
    tools: agent.data?.tools ?? [],
    toolRules: version?.tool_rules ?? [],
  };
}

/** The shipped agent that reads any tape as a whole: it needs nothing of the tape's own team. */
const CONTINUATION = "continuation";

/** The agent to continue with if the tape's own agent is not here. */
function fallbackAgent(agents: readonly { id: string; name: string }[]): string | null {
  return (agents.find(({ name }) => name === CONTINUATION) ?? agents[0])?.id ?? null;
}

/** The server reads a complete draft for this: too slow on a tape of tens of thousands of steps. */
const LONGEST_DRAFT = 5000;

function useFit(
  versionId: string | null,
  modelId: string | null,
  { recordedAt, keep, keepsOthers }: RunPlace,
): Fit | null {
  const { tape, outline, slots, isRunning } = useTapeModel();
  const version = useEditor(({ draft }) => draft.version);
  const letter = useEditor(({ draft }) => draft.fix);
  const isSaved = useEditor(({ draft }) => draft.save === "saved");
  const needsDraft = recordedAt === null;
  const canAsk = !needsDraft || (isSaved && slots.length <= LONGEST_DRAFT);
  const fit = useQuery({
    ...fitQuery(tape.id, {
      versionId: versionId ?? "",
      modelId,
      at: keepsOthers || (keep === outline.length && !needsDraft) ? null : keep,
      draftVersion: needsDraft ? version : null,
      fix: needsDraft ? letter : "A",
      stepCount: outline.length,
    }),
    enabled: versionId !== null && canAsk && !isRunning,
  });
  return fit.data ?? null;
}

/** What can be missing if a person, an emulator, a mock or the record answers in its place. */
const ANSWERABLE: ReadonlySet<string> = new Set(["kind_missing", "tool_missing"]);

function withoutAnswered(fit: Fit, choice: RunChoice): Fit {
  const problems = fit.problems.filter(
    ({ code, name }) => !ANSWERABLE.has(code) || policyOf(choice, name, false) === "live",
  );
  return { ...fit, problems, can_continue: problems.length === 0 };
}
