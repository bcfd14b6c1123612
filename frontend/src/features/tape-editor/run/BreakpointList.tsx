/** Where the run should pause: a list to add to; the server checks conditions. */
import { ActionIcon, Autocomplete, Button, Select } from "@mantine/core";
import { IconPlayerPause, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";

import type { AgentSpec, Breakpoint } from "@/api/types";
import { useTapeModel } from "@/features/tape-editor/editor";
import { stepKindsQuery } from "@/features/tape-editor/form";
import classes from "@/features/tape-editor/run/options.module.css";
import { IN_PANEL } from "@/features/tape-editor/run/optionFields";
import { toggleBreakpoint } from "@/features/tape-editor/choice";
import { visibleText } from "@/lib/visibleText";

const KINDS = [
  { value: "node", label: "Before node" },
  { value: "kind", label: "After a step of kind" },
  { value: "tool", label: "Before tool" },
  { value: "condition", label: "When a step is" },
] as const;

interface BreakpointListProps {
  breakpoints: readonly Breakpoint[];
  onChange: (breakpoints: Breakpoint[]) => void;
  spec: AgentSpec | null;
  tools: readonly string[];
}

export function BreakpointList({ breakpoints, onChange, spec, tools }: BreakpointListProps) {
  const known = useKnownNames(spec, tools);
  return (
    <>
      {breakpoints.length > 0 && (
        <ul className={`ts-column ${classes.breakpoints}`} aria-label="Breakpoints">
          {breakpoints.map((one) => (
            <li
              key={`${one.kind} ${one.value}`}
              className={`ts-row ts-panel ${classes.breakpoint}`}
            >
              <IconPlayerPause size={13} aria-hidden="true" />
              <span className="ts-truncate">{describeBreakpoint(one)}</span>
              {isUnbound(one, known) && (
                <span
                  className={`ts-hint ${classes.unbound}`}
                  title="Nothing in this agent or on this tape has this name, so the run will not pause here"
                >
                  no such {one.kind === "kind" ? "step kind" : one.kind}
                </span>
              )}
              <ActionIcon
                size={20}
                aria-label={`Remove breakpoint ${describeBreakpoint(one)}`}
                onClick={() => onChange(toggleBreakpoint(breakpoints, one))}
              >
                <IconX size={13} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <AddBreakpoint
        known={known}
        onAdd={(one) => {
          if (toggleBreakpoint(breakpoints, one).length > breakpoints.length)
            onChange([...breakpoints, one]);
        }}
      />
    </>
  );
}

export function describeBreakpoint({ kind, value }: Pick<Breakpoint, "kind" | "value">): string {
  const label = KINDS.find((known) => known.value === kind)?.label ?? "At";
  return `${label} ${visibleText(value)}`;
}

/** `null`: not known yet, or cannot be listed. */
type KnownNames = Record<Breakpoint["kind"], string[] | null>;

function useKnownNames(spec: AgentSpec | null, tools: readonly string[]): KnownNames {
  const kinds = useQuery(stepKindsQuery());
  const { outline } = useTapeModel();
  return {
    node: spec === null ? null : listNodes(spec),
    kind:
      kinds.data === undefined
        ? null
        : [...new Set([...kinds.data.map(({ kind }) => kind), ...outline.kinds()])],
    // An agent's tools arrive together with its spec.
    tool: spec === null ? null : [...tools],
    condition: null,
  };
}

/** Nothing has this name; false if the names are not known. */
function isUnbound({ kind, value }: Breakpoint, known: KnownNames): boolean {
  // A node's name may include the path of its agent.
  const name = kind === "node" ? (value.split("/").at(-1) ?? value) : value;
  return known[kind]?.includes(name) === false;
}

interface AddBreakpointProps {
  known: KnownNames;
  onAdd: (one: Breakpoint) => void;
}

function AddBreakpoint({ known, onAdd }: AddBreakpointProps) {
  const [kind, setKind] = useState<Breakpoint["kind"]>("node");
  const [value, setValue] = useState("");
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    if (value.trim() === "") return;
    onAdd({ kind, value: value.trim() });
    setValue("");
  };
  return (
    <form className={classes.addBreakpoint} onSubmit={add} aria-label="Add a breakpoint">
      <Select
        comboboxProps={IN_PANEL}
        className={classes.breakpointKind}
        aria-label="Pause"
        allowDeselect={false}
        data={[...KINDS]}
        value={kind}
        onChange={(chosen) => {
          setKind(KINDS.find((one) => one.value === chosen)?.value ?? "node");
          setValue("");
        }}
      />
      <Autocomplete
        comboboxProps={IN_PANEL}
        className={classes.wide}
        size="xs"
        aria-label="Where to pause"
        placeholder={kind === "condition" ? "kind == 'tool' && is_error" : "name"}
        data={known[kind] ?? []}
        value={value}
        onChange={setValue}
      />
      <Button type="submit" variant="default" disabled={value.trim() === ""}>
        Add
      </Button>
    </form>
  );
}

/** Names of nodes; those of members with their path, as the server compares them. */
function listNodes(spec: AgentSpec, path = spec.name): string[] {
  const own = spec.nodes.map(({ type, settings }) => {
    const name = settings?.name;
    return typeof name === "string" && name !== "" ? name : (type.split(".").at(-1) ?? type);
  });
  const below = spec.subagents.flatMap((member) => listNodes(member, `${path}/${member.name}`));
  return [...new Set([...own, ...below])];
}
