/** The tool rules of a spec, and changes of them: each returns a new spec. Pure. */
import type { ToolRule } from "@/api/toolRules";
import { withFields } from "@/features/agent-editor/draft/specChanges";
import { isObject, type JsonObject } from "@/lib/json";

const BLANK: ToolRule = {
  action: "deny",
  tool: "*",
  agent: "",
  arguments: "",
  after_tool: "",
  after_result: "",
  after_calls: 0,
  reason: "",
  answer: "",
};

/** The rules as they are written, in order; what is no object counts as an empty one. */
export function writtenRules(spec: JsonObject): JsonObject[] {
  const { tool_rules: rules } = spec;
  return Array.isArray(rules) ? rules.map((rule: unknown) => (isObject(rule) ? rule : {})) : [];
}

/** A rule with every field that it leaves out; a field of another type counts as left out. */
export function readRule(written: JsonObject): ToolRule {
  const fields = Object.entries(BLANK).map(([name, usual]) => {
    const value = written[name];
    return [name, typeof value === typeof usual ? value : usual] as const;
  });
  return Object.assign({ ...BLANK }, Object.fromEntries(fields));
}

function withRules(spec: JsonObject, rules: readonly unknown[]): JsonObject {
  return withFields(spec, "", { tool_rules: rules.length === 0 ? undefined : rules });
}

/** Add a rule at the end, which others may have to come before. */
export function withNewRule(spec: JsonObject): JsonObject {
  return withRules(spec, [...writtenRules(spec), { action: "deny", tool: "*" }]);
}

export function withoutRule(spec: JsonObject, at: number): JsonObject {
  return withRules(spec, writtenRules(spec).toSpliced(at, 1));
}

/** Set fields of a rule; those with their usual value are left out, except what each rule has. */
export function withRule(spec: JsonObject, at: number, changed: Partial<ToolRule>): JsonObject {
  const rules = writtenRules(spec);
  const { action, tool, ...rest } = { ...rules[at], ...changed };
  const kept = Object.entries(rest).filter(([, value]) => value !== "" && value !== 0);
  return withRules(spec, rules.toSpliced(at, 1, { action, tool, ...Object.fromEntries(kept) }));
}

export function withMovedRule(spec: JsonObject, at: number, by: 1 | -1): JsonObject {
  const rules = writtenRules(spec);
  const to = at + by;
  const moved = rules[at];
  if (moved === undefined || to < 0 || to >= rules.length) return spec;
  return withRules(spec, rules.toSpliced(at, 1).toSpliced(to, 0, moved));
}
