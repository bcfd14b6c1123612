import { IconTool } from "@tabler/icons-react";

import type { ToolSpec } from "@/api/types";
import classes from "@/features/agents/Agents.module.css";

export function ToolList({ tools }: { tools: readonly ToolSpec[] }) {
  if (tools.length === 0) {
    return <p className={classes.lead}>The latest version has no tools.</p>;
  }
  return (
    <ul className={classes.tree}>
      {tools.map((tool) => (
        <li key={tool.name}>
          <details>
            <summary className={`ts-row ts-fold ${classes.summary}`}>
              <IconTool size={16} stroke={1.75} aria-hidden="true" />
              <span className="ts-mono">{tool.name}</span>
              <span className="ts-truncate ts-dimmed">{tool.description}</span>
            </summary>
            <p className={classes.prose}>{tool.description}</p>
            <pre className={`ts-panel ts-words ${classes.pre}`}>
              {JSON.stringify(tool.parameters, null, 2)}
            </pre>
          </details>
        </li>
      ))}
    </ul>
  );
}
