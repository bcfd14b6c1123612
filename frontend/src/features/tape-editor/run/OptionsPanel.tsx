/** All options of a run except agent, model and temperature. */
import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import { BreakpointList } from "@/features/tape-editor/run/BreakpointList";
import { BudgetFields } from "@/features/tape-editor/run/BudgetFields";
import { DebugFields } from "@/features/tape-editor/run/DebugFields";
import { ParameterFields } from "@/features/tape-editor/run/ParameterFields";
import {
  AS_AGENT,
  changesIn,
  countChanges,
  type OptionPart,
  resetOptions,
} from "@/features/tape-editor/choice";
import classes from "@/features/tape-editor/run/options.module.css";
import { ToolPolicies } from "@/features/tape-editor/run/ToolPolicies";
import { hasPolicies, useToolLines } from "@/features/tape-editor/run/toolLines";
import { UntilFields } from "@/features/tape-editor/run/UntilFields";
import type { RunSetup } from "@/features/tape-editor/run/useRunSetup";
import { countOf } from "@/lib/format";

interface OptionsPanelProps {
  setup: RunSetup;
  onClose: () => void;
}

export function OptionsPanel({ setup, onClose }: OptionsPanelProps) {
  const { choice, change, spec } = setup;
  const lines = useToolLines(setup);
  const count = countChanges(choice);
  const fields = { choice, change };
  return (
    <div className="ts-column">
      <div className={classes.columns}>
        <div className={classes.column}>
          <Part part="until" title="Run length" setup={setup}>
            <UntilFields {...fields} />
          </Part>
          <Part part="budget" title="Budget (hard limit)" setup={setup}>
            <BudgetFields {...fields} />
          </Part>
          <Part part="parameters" title="Model parameters" setup={setup}>
            <ParameterFields {...fields} />
          </Part>
        </div>
        <div className={classes.column}>
          {hasPolicies(lines, choice) && (
            <Part part="tools" title="Tools" setup={setup}>
              <ToolPolicies {...fields} tools={lines} rules={setup.toolRules} />
            </Part>
          )}
          <Part part="debug" title="Breakpoints and recording" setup={setup}>
            <BreakpointList
              breakpoints={choice.breakpoints}
              onChange={(breakpoints) => change({ breakpoints })}
              spec={spec}
              tools={lines.map(({ name }) => name)}
            />
            <DebugFields {...fields} />
          </Part>
        </div>
      </div>
      <footer className={`ts-row ${classes.foot}`}>
        <span className={`ts-hint ${classes.hint}`}>
          {count === 0
            ? "All options have their defaults. Changes are remembered for this tape."
            : `${countOf(count, "option")} changed from the default; remembered for this tape.`}
        </span>
        <Button
          variant="subtle"
          color="gray"
          disabled={count === 0}
          onClick={() => change({ ...resetOptions(choice), modelId: choice.modelId ?? AS_AGENT })}
        >
          Reset
        </Button>
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
      </footer>
    </div>
  );
}

interface PartProps {
  part: OptionPart;
  title: string;
  setup: RunSetup;
  children: ReactNode;
}

function Part({ part, title, setup, children }: PartProps) {
  const count = changesIn(part, setup.choice);
  return (
    <section className={`ts-stack ${classes.part}`} aria-label={title}>
      <h3 className={`ts-row ${classes.title}`}>
        {title}
        {count > 0 && <span className={classes.changed}>{count} changed</span>}
      </h3>
      {children}
    </section>
  );
}
