/** Why the chosen agent cannot continue from here, and which agents could. */
import { Anchor, Button } from "@mantine/core";
import { IconInfoCircle, IconPuzzleOff } from "@tabler/icons-react";
import { Link } from "react-router";

import type { Fit, NearAgent } from "@/api/types";
import { EmulateButton, MissingTools } from "@/features/tape-editor/run/MissingTools";
import { isModelProblem } from "@/features/tape-editor/run/modelProblems";
import classes from "@/features/tape-editor/run/run.module.css";
import type { RunSetup } from "@/features/tape-editor/run/useRunSetup";
import { visibleText } from "@/lib/visibleText";

/** The tape page itself shows that a tape is archived. */
const SHOWN_ELSEWHERE = "archived";

export function FitNotice({ setup }: { setup: RunSetup }) {
  const { fit, change } = setup;
  if (fit === null) return null;
  const problems = fit.problems.filter(({ code }) => code !== SHOWN_ELSEWHERE);
  if (problems.length === 0) {
    const missing = fit.open_actions.filter((name) => !setup.tools.some((it) => it.name === name));
    return (
      <>
        <Notes notes={fit.notes} />
        <MissingTools isWide names={missing} choice={setup.choice} change={change} />
      </>
    );
  }
  const gone = problems.flatMap(({ code, name }) => (code === "tool_missing" ? [name] : []));
  return (
    <div className={`ts-row ${classes.unfit}`} role="alert">
      <IconPuzzleOff size={16} stroke={1.75} aria-hidden="true" />
      <div className={classes.sentence}>
        {problems.map(({ code, name, message }) => (
          <p key={`${code} ${name}`}>
            {visibleText(message)}
            {isModelProblem(code) && <ToModels />}
          </p>
        ))}
      </div>
      {gone.length > 0 && <EmulateButton names={gone} choice={setup.choice} change={change} />}
      <Nearest
        fit={fit}
        onChoose={({ agent_id: agentId, agent_version_id: versionId }) =>
          change({ agentId, versionId })
        }
      />
    </div>
  );
}

function ToModels() {
  return (
    <>
      {" "}
      <Anchor component={Link} to="/models" size="sm">
        Open models
      </Anchor>
    </>
  );
}

function Nearest({ fit, onChoose }: { fit: Fit; onChoose: (near: NearAgent) => void }) {
  if (fit.nearest.length === 0) return null;
  return (
    <span className={`ts-row ${classes.nearest}`}>
      <span className="ts-dimmed">These agents can continue:</span>
      {fit.nearest.map((near) => (
        <Button
          key={near.agent_version_id}
          variant="default"
          title={`${Math.round(near.overlap * 100)} % of agents and nodes are the same`}
          onClick={() => onChoose(near)}
        >
          {visibleText(near.name)} v{near.number}
        </Button>
      ))}
    </span>
  );
}

function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <div className={`ts-row ts-hint ${classes.note}`} role="note">
      <IconInfoCircle size={16} stroke={1.75} aria-hidden="true" />
      <span className={classes.sentence}>{visibleText(notes.join(" "))}</span>
    </div>
  );
}
