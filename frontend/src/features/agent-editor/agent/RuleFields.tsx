/** The tool rules of an agent in their order: the first one that matches a call decides. */
import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";

import { ListOrderTools } from "@/features/agent-editor/agent/OrderTools";
import { RuleDryRun } from "@/features/agent-editor/agent/RuleDryRun";
import { RuleForm } from "@/features/agent-editor/agent/RuleForm";
import classes from "@/features/agent-editor/agent/rules.module.css";
import {
  withMovedRule,
  withNewRule,
  withoutRule,
  writtenRules,
} from "@/features/agent-editor/draft/ruleChanges";
import { useAgentEditor, useEdited, useSpec } from "@/features/agent-editor/editorContext";
import { isSameJson } from "@/lib/json";
import { visibleText } from "@/lib/visibleText";

export function RuleFields() {
  const { select } = useAgentEditor();
  const [spec, change] = useSpec();
  const rules = writtenRules(spec);
  return (
    <section className="ts-stack" data-pointer="/tool_rules" aria-label="Tool rules">
      <h3>Tool rules</h3>
      <p className="ts-hint">
        {rules.length === 0
          ? "None: its tools are called unless the person who runs it decides otherwise."
          : "The first rule that matches a call decides."}
      </p>
      {rules.length > 0 && (
        <ol className={classes.rules}>
          {rules.map((_, at) => (
            // By its place: a change keeps the cursor.
            <li key={at} className={`ts-panel ${classes.rule}`}>
              <RuleHead at={at} count={rules.length} />
              <RuleForm at={at} />
            </li>
          ))}
        </ol>
      )}
      <div>
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={<IconPlus size={12} />}
          onClick={() => {
            change(withNewRule(spec));
            select("", `/tool_rules/${rules.length}/action`);
          }}
        >
          Add a rule
        </Button>
      </div>
      {rules.length > 0 && <RuleDryRun />}
    </section>
  );
}

function RuleHead({ at, count }: { at: number; count: number }) {
  const [spec, change] = useSpec();
  const sentence = useSentence(at);
  return (
    <div className={classes.head}>
      <span className={`ts-number ts-dimmed ${classes.number}`}>{at + 1}</span>
      <p className={classes.sentence}>{sentence === "" ? "…" : visibleText(sentence)}</p>
      <ListOrderTools
        what={(number) => `rule ${number}`}
        list="/tool_rules"
        at={at}
        count={count}
        onMove={(by) => change(withMovedRule(spec, at, by))}
        onRemove={() => change(withoutRule(spec, at))}
      />
    </div>
  );
}

/** What a rule means, as the server says; empty while the rule is not saved yet. */
function useSentence(at: number): string {
  const stored = useEdited((draft) => draft.stored);
  const rule = useEdited(({ spec }) => writtenRules(spec)[at]);
  if (!isSameJson(writtenRules(stored.spec)[at], rule)) return "";
  return stored.tool_rules[at] ?? "";
}
