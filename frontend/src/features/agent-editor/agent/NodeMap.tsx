/** The team as a list of agents and nodes, with the routes beside it: what it is also selected by. */
import { IconAlertCircle, IconAlertTriangle, IconRobot } from "@tabler/icons-react";
import { useEffect, useMemo, useRef, type KeyboardEvent } from "react";

import { Arcs, ROW_HEIGHT } from "@/features/agent-editor/agent/Arcs";
import type { Route } from "@/features/agent-editor/agent/arcs";
import classes from "@/features/agent-editor/agentEditor.module.css";
import { listAgents, splitPlace } from "@/features/agent-editor/draft/specPlaces";
import { useAgentEditor, useEdited } from "@/features/agent-editor/editorContext";
import type { AgentGraph, SpecProblem } from "@/api/agentDrafts";
import { countOf } from "@/lib/format";
import type { JsonObject } from "@/lib/json";
import { visibleText } from "@/lib/visibleText";

interface MapRow {
  path: string;
  name: string;
  depth: number;
  /** Of a node; `null` for an agent. */
  type: string | null;
}

export function NodeMap() {
  const { selected, select } = useAgentEditor();
  const spec = useEdited((draft) => draft.spec);
  const { graph, problems } = useEdited((draft) => draft.stored);
  const rows = useMemo(() => listRows(spec), [spec]);
  const routes = useMemo(() => listRoutes(graph, rows), [graph, rows]);
  const unreached = useMemo(
    () => new Set(graph?.nodes.filter((node) => !node.is_reachable).map(({ path }) => path)),
    [graph],
  );
  const list = useRef<HTMLUListElement>(null);
  const at = rows.findIndex(({ path }) => path === selected);
  useEffect(() => {
    // Whoever came by a key goes on by keys, from what the open step selects.
    const focused = document.activeElement;
    if (focused === document.body || list.current?.contains(focused) === true) {
      list.current?.querySelectorAll("button")[at]?.focus({ preventScroll: true });
    }
  }, [at]);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = MOVES[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = Math.min(rows.length - 1, Math.max(0, at + by));
    const row = rows[next];
    if (row === undefined) return;
    select(row.path);
    list.current?.querySelectorAll("button")[next]?.focus();
  };
  return (
    <nav className={classes.map} aria-label="Nodes">
      <Arcs
        routes={routes}
        dots={rows.flatMap(({ type }, row) => (type === null ? [] : [row]))}
        rowCount={rows.length}
      />
      {/* The keys only move the focus between the buttons inside. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul ref={list} className={classes.mapRows} onKeyDown={onKeyDown}>
        {rows.map((row, index) => (
          <li key={row.path} style={{ height: ROW_HEIGHT }}>
            <Row
              row={row}
              isSelected={index === at}
              canTab={index === Math.max(0, at)}
              routes={routes
                .filter(({ from }) => from === index)
                .map((route) => ({
                  to: rows[route.to]?.name ?? "",
                  label: route.label,
                }))}
              isUnreached={unreached.has(row.path)}
              problems={problems.filter(({ path }) => splitPlace(path).path === row.path)}
              onSelect={() => select(row.path)}
            />
          </li>
        ))}
      </ul>
    </nav>
  );
}

const MOVES: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

interface RowProps {
  row: MapRow;
  isSelected: boolean;
  canTab: boolean;
  routes: readonly { to: string; label: string }[];
  isUnreached: boolean;
  problems: readonly SpecProblem[];
  onSelect: () => void;
}

function Row({ row, isSelected, canTab, routes, isUnreached, problems, onSelect }: RowProps) {
  const words = routes.map(({ to, label }) => `→ ${to}${label === "" ? "" : ` ${label}`}`);
  const text = visibleText(words.join(", "));
  return (
    <button
      type="button"
      className={`ts-row ${classes.mapRow}`}
      style={{ paddingLeft: 8 + row.depth * 12 }}
      aria-current={isSelected || undefined}
      tabIndex={canTab ? 0 : -1}
      title={text}
      onClick={onSelect}
    >
      {row.type === null && <IconRobot size={15} stroke={1.75} aria-label="Agent" role="img" />}
      <span className={`ts-truncate ${row.type === null ? classes.agentName : classes.nodeName}`}>
        {visibleText(row.name) || "unnamed"}
      </span>
      <span className={`ts-truncate ts-caption ${classes.routes}`}>
        {isUnreached ? "never reached" : text}
      </span>
      <Problems problems={problems} />
    </button>
  );
}

function Problems({ problems }: { problems: readonly SpecProblem[] }) {
  if (problems.length === 0) return null;
  const isWrong = problems.some(({ severity }) => severity === "error");
  const Drawn = isWrong ? IconAlertCircle : IconAlertTriangle;
  return (
    <Drawn
      className={isWrong ? "ts-bad" : "ts-warn"}
      size={15}
      role="img"
      aria-label={countOf(problems.length, "problem")}
    />
  );
}

function listRows(spec: JsonObject): MapRow[] {
  return listAgents(spec).flatMap(({ path, name, depth, nodes }) => [
    { path, name, depth, type: null },
    ...nodes.map((node) => ({ ...node, depth })),
  ]);
}

/** None while the server's graph is that of another structure, as when a node was just moved. */
function listRoutes(graph: AgentGraph | null, rows: readonly MapRow[]): Route[] {
  if (graph === null) return [];
  const places = new Map(rows.map(({ path }, at) => [path, at]));
  const isSame = graph.nodes.every(({ path, name }) => rows[places.get(path) ?? -1]?.name === name);
  if (!isSame) return [];
  return graph.edges.flatMap(({ source, target, label }) => {
    const [from, to] = [places.get(source), places.get(target)];
    return from === undefined || to === undefined ? [] : [{ from, to, label }];
  });
}
