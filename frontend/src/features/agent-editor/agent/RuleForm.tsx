/** The fields of a tool rule: which calls it is about, what was before them, and what to do. */
import { Autocomplete, NumberInput, Select, Textarea, TextInput } from "@mantine/core";

import type { RuleAction, ToolRule } from "@/api/toolRules";
import classes from "@/features/agent-editor/agent/rules.module.css";
import { readRule, withRule, writtenRules } from "@/features/agent-editor/draft/ruleChanges";
import { listAgents } from "@/features/agent-editor/draft/specPlaces";
import { useAgentEditor, useEdited, useSpec } from "@/features/agent-editor/editorContext";
import { isSameJson } from "@/lib/json";
import { visibleText } from "@/lib/visibleText";

const ACTIONS: { value: RuleAction; label: string }[] = [
  { value: "deny", label: "Deny: refuse the call" },
  { value: "ask", label: "Ask: wait for a person" },
  { value: "replace", label: "Replace: give an answer instead" },
  { value: "emulate", label: "Emulate: answer as the tool would" },
  { value: "allow", label: "Allow: let it through" },
];

interface RuleFormProps {
  at: number;
}

export function RuleForm({ at }: RuleFormProps) {
  const { agent } = useAgentEditor();
  const [spec, change] = useSpec();
  const rule = readRule(writtenRules(spec)[at] ?? {});
  const problemOf = useProblems(at);
  const put = (changed: Partial<ToolRule>) => change(withRule(spec, at, changed));
  const place = (field: keyof ToolRule) => `/tool_rules/${at}/${field}`;
  const tools = ["*", ...agent.tools.map(({ name }) => name)];
  return (
    <div className={classes.fields}>
      <div className={classes.pair}>
        <div data-pointer={place("action")}>
          <Select
            label="What happens"
            allowDeselect={false}
            data={ACTIONS}
            value={rule.action}
            error={problemOf("action")}
            onChange={(next) => {
              const chosen = ACTIONS.find(({ value }) => value === next);
              if (chosen !== undefined) put(fieldsFor(chosen.value, rule));
            }}
          />
        </div>
        <div data-pointer={place("tool")}>
          <Autocomplete
            label="Tool"
            placeholder="* for any"
            data={tools}
            filter={({ options }) => options}
            value={rule.tool}
            error={problemOf("tool")}
            onChange={(tool) => put({ tool })}
          />
        </div>
      </div>
      <div data-pointer={place("arguments")}>
        <TextInput
          label="When its arguments"
          placeholder="amount > `1000`"
          classNames={{ input: "ts-mono" }}
          value={rule.arguments}
          error={problemOf("arguments")}
          onChange={({ currentTarget }) => put({ arguments: currentTarget.value })}
        />
      </div>
      {rule.action === "emulate" && (
        <p className="ts-hint">
          The agent’s model named “emulator” answers; without one, a script does, from earlier
          answers on the tape and the tool’s result schema.
        </p>
      )}
      {rule.action !== "allow" && rule.action !== "emulate" && (
        <div data-pointer={place(rule.action === "replace" ? "answer" : "reason")}>
          <ToldField rule={rule} problemOf={problemOf} put={put} />
        </div>
      )}
      <details open={hasMore(rule) || undefined}>
        <summary className="ts-hint">Only after something, or for one agent</summary>
        <div className={classes.fields}>
          <div className={classes.pair}>
            <div data-pointer={place("after_tool")}>
              <Autocomplete
                label="After this tool has answered"
                data={tools.slice(1)}
                filter={({ options }) => options}
                value={rule.after_tool}
                error={problemOf("after_tool")}
                onChange={(after_tool) => put({ after_tool })}
              />
            </div>
            <div data-pointer={place("after_calls")}>
              <NumberInput
                label="After so many calls"
                min={0}
                allowDecimal={false}
                value={rule.after_calls === 0 ? "" : rule.after_calls}
                error={problemOf("after_calls")}
                onChange={(count) => put({ after_calls: Number(count) })}
              />
            </div>
          </div>
          <div data-pointer={place("after_result")}>
            <TextInput
              label="After a tool has answered with this text"
              value={rule.after_result}
              error={problemOf("after_result")}
              onChange={({ currentTarget }) => put({ after_result: currentTarget.value })}
            />
          </div>
          <div data-pointer={place("agent")}>
            <Autocomplete
              label="When called by"
              placeholder="any member of the team"
              data={listAgents(spec).map(({ name }) => name)}
              filter={({ options }) => options}
              value={rule.agent}
              error={problemOf("agent")}
              onChange={(by) => put({ agent: by })}
            />
          </div>
        </div>
      </details>
    </div>
  );
}

interface ToldFieldProps {
  rule: ToolRule;
  problemOf: (field: keyof ToolRule) => string | null;
  put: (changed: Partial<ToolRule>) => void;
}

function ToldField({ rule, problemOf, put }: ToldFieldProps) {
  const isAnswer = rule.action === "replace";
  const field = isAnswer ? "answer" : "reason";
  return (
    <Textarea
      label={isAnswer ? "Answer" : rule.action === "ask" ? "Tell the person" : "Tell the agent"}
      autosize
      minRows={1}
      maxRows={6}
      value={rule[field]}
      error={problemOf(field)}
      onChange={({ currentTarget }) =>
        put(isAnswer ? { answer: currentTarget.value } : { reason: currentTarget.value })
      }
    />
  );
}

/** What an action does not use goes with it. */
function fieldsFor(action: RuleAction, { reason, answer }: ToolRule): Partial<ToolRule> {
  return {
    action,
    reason: action === "deny" || action === "ask" ? reason : "",
    answer: action === "replace" ? answer : "",
  };
}

function hasMore({ agent, after_tool, after_result, after_calls }: ToolRule): boolean {
  return agent !== "" || after_tool !== "" || after_result !== "" || after_calls > 0;
}

/** The problem of a field; those of a rule that was changed since are out of date. */
function useProblems(at: number): (field: keyof ToolRule) => string | null {
  const stored = useEdited((draft) => draft.stored);
  const rule = useEdited(({ spec }) => writtenRules(spec)[at]);
  const isNew = !isSameJson(writtenRules(stored.spec)[at], rule);
  return (field) => {
    const found = stored.problems.find(({ path }) => path === `/tool_rules/${at}/${field}`);
    return found === undefined || isNew ? null : visibleText(found.message);
  };
}
