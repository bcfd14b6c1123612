/** Which side effects the run may have: a default, and exceptions for single tools. */
import { Select, Textarea, Tooltip } from "@mantine/core";
import { IconAlertTriangle, IconTool } from "@tabler/icons-react";

import type { ToolPolicy } from "@/api/types";
import { MissingTools } from "@/features/tape-editor/run/MissingTools";
import { IN_PANEL, type OptionFieldsProps } from "@/features/tape-editor/run/optionFields";
import classes from "@/features/tape-editor/run/options.module.css";
import { hasPolicies, type ToolLine } from "@/features/tape-editor/run/toolLines";
import { policyOf, withPolicy } from "@/features/tape-editor/choice";
import { visibleText } from "@/lib/visibleText";

const POLICIES = [
  { value: "live", label: "Live: really run it" },
  { value: "replay", label: "Replay: as recorded" },
  { value: "mock", label: "Mock: your text" },
  { value: "ask", label: "Ask: wait for you" },
  { value: "deny", label: "Deny: refuse it" },
  { value: "emulate", label: "Emulate: answer as it would" },
] as const;
const DEFAULT = "default";

interface ToolPoliciesProps extends OptionFieldsProps {
  tools: readonly ToolLine[];
  /** What the agent's own rules mean, a sentence each. */
  rules: readonly string[];
}

/** Renders nothing if there is no tool to decide on. */
export function ToolPolicies({ choice, change, tools, rules }: ToolPoliciesProps) {
  if (!hasPolicies(tools, choice)) return null;
  return (
    <>
      {rules.length > 0 && (
        <div className={`ts-hint ${classes.rules}`}>
          <p id="agent-tool-rules">Rules of the agent; what they deny stays denied:</p>
          <ol aria-labelledby="agent-tool-rules">
            {rules.map((rule, at) => (
              <li key={at}>
                {at + 1}. {visibleText(rule)}
              </li>
            ))}
          </ol>
        </div>
      )}
      <Select
        comboboxProps={IN_PANEL}
        label="All tools"
        allowDeselect={false}
        data={POLICIES.filter(({ value }) => value !== "mock")}
        value={choice.defaultPolicy}
        onChange={(chosen) => change({ defaultPolicy: readPolicy(chosen) ?? "live" })}
      />
      <MissingTools
        names={tools.filter(({ isMissing }) => isMissing).map(({ name }) => name)}
        choice={choice}
        change={change}
      />
      <ul className={`ts-column ${classes.tools}`}>
        {tools.map((tool) => (
          <ToolRow key={tool.name} tool={tool} choice={choice} change={change} />
        ))}
      </ul>
    </>
  );
}

function ToolRow({ tool, choice, change }: OptionFieldsProps & { tool: ToolLine }) {
  const { name, description, isIrreversible } = tool;
  const own = choice.byTool[name];
  const usual = policyOf({ ...choice, byTool: {} }, name, isIrreversible);
  return (
    <li className={classes.tool}>
      <span className={`ts-row ts-mono ${classes.toolName}`} title={visibleText(description)}>
        <IconTool size={14} stroke={1.75} aria-hidden="true" />
        <span className="ts-truncate">{visibleText(name)}</span>
        {isIrreversible && (
          <Tooltip label="This tool cannot be undone, so it asks for approval by default">
            <IconAlertTriangle
              className={classes.irreversible}
              size={14}
              aria-label="Irreversible"
            />
          </Tooltip>
        )}
      </span>
      <Select
        comboboxProps={IN_PANEL}
        aria-label={`Policy of ${name}`}
        allowDeselect={false}
        data={[{ value: DEFAULT, label: `Default: ${usual}` }, ...POLICIES]}
        value={own ?? DEFAULT}
        onChange={(chosen) => change(withPolicy(choice, name, readPolicy(chosen)))}
      />
      {own === "mock" && (
        <Textarea
          className={classes.mock}
          aria-label={`Answer of ${name}`}
          placeholder="The tool's answer"
          classNames={{ input: classes.mono }}
          autosize
          minRows={1}
          maxRows={6}
          value={choice.mocks[name] ?? ""}
          error={(choice.mocks[name] ?? "") === "" ? "Enter its answer" : null}
          onChange={({ currentTarget }) =>
            change({ mocks: { ...choice.mocks, [name]: currentTarget.value } })
          }
        />
      )}
    </li>
  );
}

function readPolicy(chosen: string | null): ToolPolicy | null {
  return POLICIES.find(({ value }) => value === chosen)?.value ?? null;
}
