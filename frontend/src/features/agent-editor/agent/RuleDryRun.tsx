/** The rules tried on old tapes: which calls they would have stopped. Nothing is called. */
import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import {
  DRY_RUN_TAPES,
  dryRunRules,
  type RuleAction,
  type RuleDryRun as DryRun,
  type StoppedCall,
} from "@/api/toolRules";
import classes from "@/features/agent-editor/agent/rules.module.css";
import { readRule, writtenRules } from "@/features/agent-editor/draft/ruleChanges";
import { useAgentEditor, useSpec } from "@/features/agent-editor/editorContext";
import { countOf } from "@/lib/format";
import { isSameJson } from "@/lib/json";
import { quoteValue } from "@/lib/tapeQuery";
import { useAddress } from "@/lib/useAddress";
import { visibleText } from "@/lib/visibleText";

export function RuleDryRun() {
  const { agent } = useAgentEditor();
  const [spec] = useSpec();
  const [q, setQuery] = useState(`agent:${quoteValue(agent.name)}`);
  const rules = writtenRules(spec).map(readRule);
  const trial = useMutation({ mutationFn: () => dryRunRules(rules, q) });
  const [tried, setTried] = useState({ rules, q });
  const isOld = trial.isSuccess && !isSameJson(tried, { rules, q });
  return (
    <form
      className="ts-stack"
      onSubmit={(event) => {
        event.preventDefault();
        setTried({ rules, q });
        trial.mutate();
      }}
    >
      <div className={classes.trial}>
        <TextInput
          label="Try the rules on old tapes"
          description={`The newest ${DRY_RUN_TAPES} of this query; no model and no tool is called`}
          classNames={{ input: "ts-mono" }}
          value={q}
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          loading={trial.isPending}
          leftSection={<IconPlayerPlay size={14} />}
        >
          Try
        </Button>
      </div>
      <div aria-live="polite" className="ts-stack">
        {trial.isError && (
          <p className="ts-bad" role="alert">
            {describeError(trial.error)}
          </p>
        )}
        {isOld && <p className="ts-hint">This was with other rules or tapes; try again.</p>}
        {trial.data !== undefined && <Found found={trial.data} />}
      </div>
    </form>
  );
}

function Found({ found }: { found: DryRun }) {
  const left = found.stopped_count - found.calls.length;
  return (
    <>
      <p>{sumUp(found)}</p>
      {found.calls.length > 0 && (
        <ul className={classes.calls} aria-label="Calls that would have been stopped">
          {found.calls.map((call, at) => (
            <li key={`${call.tape_id} ${call.position} ${at}`}>
              <CallLine call={call} />
            </li>
          ))}
        </ul>
      )}
      {left > 0 && <p className="ts-hint">and {countOf(left, "more call")}</p>}
      <ul className="ts-hint" aria-label="Calls by rule">
        {found.rules.map(({ count }, at) => (
          <li key={at}>
            Rule {at + 1} decided {countOf(count, "call")}
          </li>
        ))}
      </ul>
    </>
  );
}

function sumUp({ tape_count: tapes, is_cut, stopped_count: stopped }: DryRun): string {
  if (tapes === 0) return "The query finds no tape.";
  const read = `${countOf(tapes, "tape")} read${is_cut ? "; the others were too long" : ""}.`;
  if (stopped === 0) return `${read} No call would have been stopped.`;
  return `${read} ${countOf(stopped, "call")} would have been stopped.`;
}

const DONE: Record<RuleAction, string> = {
  allow: "allowed",
  deny: "denied",
  ask: "asked about",
  replace: "replaced",
  emulate: "emulated",
};

/** Leads to the step, at the right half of the page. */
function CallLine({ call }: { call: StoppedCall }) {
  const [address] = useAddress();
  const to = new URLSearchParams(address);
  to.set("tape", call.tape_id);
  to.set("step", String(call.position));
  return (
    <Link to={`?${to.toString()}`} replace className={classes.call}>
      <span className="ts-truncate ts-mono">
        {visibleText(call.tool)} {visibleText(call.arguments)}
      </span>
      <span className="ts-caption ts-truncate">
        {DONE[call.action]} by rule {call.rule + 1} · step {call.position} of{" "}
        {visibleText(call.title || "Untitled")}
      </span>
    </Link>
  );
}
