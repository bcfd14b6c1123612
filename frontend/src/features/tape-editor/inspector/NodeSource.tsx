/** The node of the agent version that wrote the step: its settings and the agent's templates. */
import { useQuery } from "@tanstack/react-query";

import { agentQuery } from "@/api/agents";
import type { AgentSpec } from "@/api/types";
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { JsonBlock } from "@/features/tape-editor/inspector/JsonBlock";
import { useTapeModel } from "@/features/tape-editor/editor";
import { prettyJson } from "@/lib/valueShapes";
import { visibleText } from "@/lib/visibleText";
import { PlainText } from "@/ui/parts/PlainText";

interface NodeSourceProps {
  /** Path of the agent, the root's name first. */
  agent: string;
  node: string;
}

export function NodeSource({ agent: path, node: name }: NodeSourceProps) {
  const { tape } = useTapeModel();
  const agent = useQuery({ ...agentQuery(tape.agent_id ?? ""), enabled: tape.agent_id !== null });
  const version = agent.data?.versions.find(({ id }) => id === tape.agent_version_id);
  const member = version === undefined ? undefined : findMember(version.spec, path);
  const node = member?.nodes.find(({ settings, type }) => (settings?.name ?? type) === name);
  if (member === undefined || node === undefined) return null;
  return (
    <>
      <h2 className={classes.heading}>Node {visibleText(name)}</h2>
      <JsonBlock slot={`node.${path}.${name}`} label={node.type} value={node.settings} />
      {Object.entries(member.templates ?? {}).map(([title, text]) => (
        <section key={title} className={classes.block}>
          <h2 className={`ts-caption ${classes.blockName}`}>Template {visibleText(title)}</h2>
          <PlainText
            slot={`template.${path}.${title}`}
            text={typeof text === "string" ? text : prettyJson(text)}
          />
        </section>
      ))}
    </>
  );
}

/** The member of a team at a path; the root may have had another name. */
export function findMember(root: AgentSpec, path: string): AgentSpec | undefined {
  let member: AgentSpec | undefined = root;
  for (const name of path.split("/").slice(1)) {
    member = member?.subagents.find((subagent) => subagent.name === name);
  }
  return member;
}
