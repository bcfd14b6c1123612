/** Environments of one kind, a group of rows for each: the facts, then its tools, folded. */
import { Fragment } from "react";
import { Link } from "react-router";

import type { Environment, EnvironmentFailure, EnvironmentTool } from "@/api/environments";
import { ServerActions } from "@/features/environments/ServerActions";
import { CheckNow } from "@/features/environments/CheckNow";
import { HealthCell } from "@/features/environments/HealthCell";
import classes from "@/features/environments/environments.module.css";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PlainTable } from "@/ui/PlainTable";
import { RelativeTime } from "@/ui/Quantities";

interface EnvironmentTableProps {
  rows: readonly Environment[];
  label: string;
  /** The person may change the MCP servers. */
  canChange: boolean;
}

export function EnvironmentTable({ rows, label, canChange }: EnvironmentTableProps) {
  return (
    <PlainTable aria-label={label}>
      <thead className={classes.head}>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Health</th>
          <th scope="col">Used by</th>
          <th scope="col">Last failure</th>
        </tr>
      </thead>
      {rows.map((row) => (
        <EnvironmentRows key={row.name} row={row} canChange={canChange} />
      ))}
    </PlainTable>
  );
}

function EnvironmentRows({ row, canChange }: { row: Environment; canChange: boolean }) {
  return (
    <tbody className={classes.group}>
      <tr>
        <th scope="row" className={classes.name}>
          <div className={classes.title}>{nameOf(row)}</div>
          {row.description !== "" && (
            <div className="ts-caption">{visibleText(row.description)}</div>
          )}
          {canChange && row.kind === "mcp" && row.can_be_checked && (
            <ServerActions
              server={row.name.replace(/^mcp\./, "")}
              hasTools={row.tools.length > 0}
            />
          )}
        </th>
        <td className={classes.health} data-label="Health">
          <HealthCell health={row.health} />
          {row.can_be_checked && <CheckNow name={row.name} checkId={row.check_id} />}
        </td>
        <td className={classes.users} data-label="Used by">
          <Users row={row} />
        </td>
        <td className={classes.failure} data-label="Last failure">
          <Failure failure={row.last_failure} />
        </td>
      </tr>
      {(row.tools.length > 0 || row.isolation !== "") && (
        <tr className={classes.more}>
          <td colSpan={4}>
            {row.isolation !== "" && <p className="ts-caption">{visibleText(row.isolation)}</p>}
            {row.tools.length > 0 && <Tools tools={row.tools} of={nameOf(row)} />}
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** What people call it: a server by its own name. */
function nameOf({ name, kind }: Environment): string {
  if (kind === "tools") return "Tools and the person";
  return visibleText(kind === "mcp" ? name.replace(/^mcp\./, "") : name);
}

function Users({ row: { agents, tape_count: tapeCount } }: { row: Environment }) {
  if (agents.length === 0 && tapeCount === 0) return <span className="ts-dimmed">No agent</span>;
  return (
    <>
      {agents.map(({ agent_id: id, name, versions }, at) => (
        <Fragment key={id}>
          {at > 0 && ", "}
          <Link to={`/agents/${id}`} title={`Version ${versions.join(", ")}`}>
            {visibleText(name)}
          </Link>
        </Fragment>
      ))}
      {tapeCount > 0 && <div className="ts-caption">on {countOf(tapeCount, "tape")} lately</div>}
    </>
  );
}

function Failure({ failure }: { failure: EnvironmentFailure | null }) {
  if (failure === null) return <span className="ts-dimmed">None</span>;
  const { message, tool, at, tape_id: tape, position } = failure;
  return (
    <>
      <Link
        className={classes.sentence}
        to={position === null ? `/t/${tape}` : `/t/${tape}?step=${position}`}
        title={visibleText(message)}
      >
        {visibleText(message)}
      </Link>
      <div className="ts-caption">
        {tool !== "" && <span className="ts-mono">{visibleText(tool)} · </span>}
        {position === null && "Run failed · "}
        <RelativeTime value={at} />
      </div>
    </>
  );
}

function Tools({ tools, of }: { tools: readonly EnvironmentTool[]; of: string }) {
  const allowed = tools.filter((tool) => tool.is_allowed).length;
  const changed = tools.filter((tool) => tool.changes.length > 0).length;
  return (
    <details>
      <summary className={`ts-inline ts-fold ${classes.fold}`}>
        {countOf(tools.length, "tool")}
        {allowed < tools.length && `, ${allowed} allowed`}
        {changed > 0 && `, ${changed} changed`}
      </summary>
      <ul className={classes.tools} aria-label={`Tools of ${of}`}>
        {tools.map((tool) => (
          <li key={tool.name}>
            <span className="ts-mono">{visibleText(tool.name)}</span> <Marks tool={tool} />{" "}
            <span className="ts-dimmed">{visibleText(tool.description)}</span>
            {tool.changes.map((change) => (
              <div key={change} className="ts-warn">
                Changed since it was allowed: {visibleText(change)}.
              </div>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What becomes of a call before anybody reads the description. */
function Marks({ tool }: { tool: EnvironmentTool }) {
  if (!tool.is_allowed) return <span className={classes.mark}>not allowed</span>;
  if (!tool.is_irreversible) return null;
  return <span className={classes.mark}>asks before each call</span>;
}
