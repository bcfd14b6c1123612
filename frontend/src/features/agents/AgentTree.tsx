/** The structure of a team: agents, models, prompts and nodes, in native disclosure elements. */
import { IconCpu, IconFileText, IconPoint, IconRobot, type Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";

import type { AgentSpec } from "@/api/types";
import classes from "@/features/agents/Agents.module.css";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

/** The description of the agent itself is above it, on its page. */
export function AgentTree({ spec }: { spec: AgentSpec }) {
  return (
    <ul className={classes.tree}>
      <AgentBranch spec={spec} isRoot />
    </ul>
  );
}

function AgentBranch({ spec, isRoot = false }: { spec: AgentSpec; isRoot?: boolean }) {
  const nodes = spec.nodes;
  const members = spec.subagents;
  return (
    <Branch
      icon={IconRobot}
      open
      title={<strong>{visibleText(spec.name)}</strong>}
      note={describeTeam(nodes.length, members.length)}
    >
      {!isRoot && spec.description !== "" && (
        <li className={classes.prose}>{visibleText(spec.description)}</li>
      )}
      {Object.entries(spec.llms ?? {}).map(([name, llm]) => (
        <Branch
          key={`llm-${name}`}
          icon={IconCpu}
          title={<>Model {visibleText(name)}</>}
          note={<span className="ts-mono">{visibleText(llm.model)}</span>}
        >
          <Values values={llm.parameters ?? {}} />
        </Branch>
      ))}
      {Object.entries(spec.templates ?? {}).map(([name, template]) => (
        <Branch
          key={`template-${name}`}
          icon={IconFileText}
          title={<>Prompt {visibleText(name)}</>}
        >
          <li>
            <Value value={template} />
          </li>
        </Branch>
      ))}
      {nodes.map(({ type, settings = {} }, index) => (
        <Branch
          key={`node-${index}`}
          icon={IconPoint}
          title={<>Node {visibleText(textOf(settings.name) ?? type)}</>}
          note={<span className="ts-mono">{type}</span>}
        >
          <Values values={withoutName(settings)} />
        </Branch>
      ))}
      {members.map((member) => (
        <AgentBranch key={`agent-${member.name}`} spec={member} />
      ))}
    </Branch>
  );
}

interface BranchProps {
  icon: Icon;
  title: ReactNode;
  note?: ReactNode;
  open?: boolean;
  children?: ReactNode;
}

function Branch({ icon: Drawn, title, note, open = false, children }: BranchProps) {
  return (
    <li>
      <details open={open}>
        <summary className={`ts-row ts-fold ${classes.summary}`}>
          <Drawn size={16} stroke={1.75} aria-hidden="true" />
          <span>{title}</span>
          {note !== undefined && <span className="ts-dimmed ts-truncate">{note}</span>}
        </summary>
        <ul className={classes.tree}>{children}</ul>
      </details>
    </li>
  );
}

function Values({ values }: { values: Record<string, unknown> }) {
  const entries = Object.entries(values).filter(([, value]) => !isEmpty(value));
  if (entries.length === 0) return <li className={classes.prose}>No settings.</li>;
  return entries.map(([name, value]) => (
    <li key={name} className={classes.value}>
      <span className="ts-dimmed">{visibleText(name)}</span>
      <Value value={value} />
    </li>
  ));
}

/** Shown as plain text, because a prompt may contain anything. */
function Value({ value }: { value: unknown }) {
  const text = visibleText(typeof value === "string" ? value : JSON.stringify(value, null, 2));
  if (text.includes("\n") || text.length > 80)
    return <pre className={`ts-panel ts-words ${classes.pre}`}>{text}</pre>;
  return <code>{text}</code>;
}

function describeTeam(nodes: number, members: number): string {
  const parts = [countOf(nodes, "node")];
  if (members > 0) parts.push(countOf(members, "subagent"));
  return parts.join(", ");
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function withoutName(settings: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name !== "name"));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && Object.keys(value).length === 0;
}
