/** The problems of the draft with their places, and what becomes of it: saved or discarded. */
import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useMemo, useState } from "react";

import { discardDraft, type SpecProblem } from "@/api/agentDrafts";
import { agentKeys } from "@/api/agents";
import { showFailure } from "@/api/showFailure";
import classes from "@/features/agent-editor/agentEditor.module.css";
import { listAgents, splitPlace } from "@/features/agent-editor/draft/specPlaces";
import { useAgentEditor, useEdited } from "@/features/agent-editor/editorContext";
import { SaveVersionDialog } from "@/features/agent-editor/SaveVersionDialog";
import { countOf } from "@/lib/format";
import { useKeys } from "@/lib/keys";
import type { JsonObject } from "@/lib/json";
import { visibleText } from "@/lib/visibleText";
import { ConfirmButton } from "@/ui/ConfirmButton";

export function BottomBar() {
  const { agent, editor } = useAgentEditor();
  const queries = useQueryClient();
  const [isSaving, setSaving] = useState(false);
  const problems = useEdited(({ stored }) => stored.problems);
  const isChanged = useEdited(({ stored, save }) => stored.is_changed || save !== "saved");
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const discard = useMutation({
    mutationFn: async () => {
      await discardDraft(agent.id);
      await editor.loadTheirs();
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: agentKeys.all }),
    onError: (error) => showFailure("The draft was not discarded", error),
  });
  const why = !isChanged
    ? "Nothing differs from the newest version"
    : errors > 0
      ? `${countOf(errors, "error")} to fix first`
      : "";
  const keys = useMemo(
    () => [
      {
        keys: "mod+s",
        label: "Save as version…",
        whileTyping: true,
        run: () => {
          if (why === "") setSaving(true);
        },
      },
    ],
    [why],
  );
  useKeys("Agent editor", keys);
  return (
    <footer className={classes.bottom}>
      <ProblemList problems={problems} />
      <div className={`ts-row ${classes.bottomActions}`}>
        {why !== "" && <span className="ts-hint">{why}</span>}
        {isChanged && (
          <ConfirmButton
            variant="subtle"
            color="gray"
            question="Discard the draft, with everything that could be undone in it?"
            confirm="Discard"
            loading={discard.isPending}
            onConfirm={() => discard.mutate()}
          >
            Discard draft
          </ConfirmButton>
        )}
        <Button
          disabled={why !== ""}
          title={why === "" ? "Ctrl or ⌘ S" : why}
          onClick={() => setSaving(true)}
        >
          Save as version…
        </Button>
      </div>
      {isSaving && <SaveVersionDialog onClose={() => setSaving(false)} />}
    </footer>
  );
}

const MOST = 50;

function ProblemList({ problems }: { problems: readonly SpecProblem[] }) {
  const { select } = useAgentEditor();
  const spec = useEdited((draft) => draft.spec);
  if (problems.length === 0) {
    return (
      <p className="ts-inline ts-hint">
        <IconCircleCheck size={14} className="ts-good" aria-hidden="true" />
        No problems
      </p>
    );
  }
  return (
    <ul className={classes.problems} aria-label="Problems">
      {problems.slice(0, MOST).map(({ path, message, severity }) => {
        const place = splitPlace(path);
        const Drawn = severity === "error" ? IconAlertCircle : IconAlertTriangle;
        return (
          <li key={`${path} ${message}`}>
            <button
              type="button"
              className={`ts-row ${classes.problem}`}
              onClick={() => select(place.path, place.field)}
            >
              <Drawn
                size={14}
                className={severity === "error" ? "ts-bad" : "ts-warn"}
                role="img"
                aria-label={severity === "error" ? "Error" : "Warning"}
              />
              <strong>{visibleText(nameOf(spec, place.path))}</strong>
              <span className={classes.problemText}>{visibleText(message)}</span>
            </button>
          </li>
        );
      })}
      {problems.length > MOST && (
        <li className="ts-hint">and {countOf(problems.length - MOST, "more problem")}</li>
      )}
    </ul>
  );
}

function nameOf(spec: JsonObject, path: string): string {
  for (const agent of listAgents(spec)) {
    if (agent.path === path) return agent.name;
    const node = agent.nodes.find((known) => known.path === path);
    if (node !== undefined) return node.name;
  }
  return "Agent";
}
