/** The rules that people in the project wrote. */
import { Button, Switch } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import { changeRule, deleteRule, lintKeys, lintRulesQuery } from "@/api/lint";
import { useCanWrite } from "@/api/session";
import { showFailure } from "@/api/showFailure";
import { tapeKeys } from "@/api/tapes";
import type { LintRule } from "@/api/types";
import classes from "@/features/lint/lint.module.css";
import { visibleText } from "@/lib/visibleText";
import { ConfirmButton } from "@/ui/ConfirmButton";
import { PlainTable } from "@/ui/PlainTable";
import { SEVERITY_WORDS, SeverityIcon } from "@/ui/SeverityIcon";
import { ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

export function RuleTable({ onEdit }: { onEdit: (rule: LintRule) => void }) {
  const rules = useQuery(lintRulesQuery());
  const retry = () => void rules.refetch();
  return (
    <section className="ts-section" aria-labelledby="lint-rules">
      <h2 className={classes.heading} id="lint-rules">
        Rules
      </h2>
      {rules.data !== undefined && rules.isError && (
        <StaleNotice message={describeError(rules.error)} onRetry={retry} />
      )}
      {rules.data === undefined ? (
        rules.isError ? (
          <ErrorState
            title="The rules could not be loaded"
            message={describeError(rules.error)}
            onRetry={retry}
          />
        ) : (
          <RowsSkeleton label="Loading rules" rows={3} />
        )
      ) : rules.data.length === 0 ? (
        <p className={classes.note}>
          No rules yet. A rule states what must always, must never or must first happen on a tape.
        </p>
      ) : (
        <PlainTable aria-label="Rules">
          <thead>
            <tr>
              <th scope="col">On</th>
              <th scope="col">Name</th>
              <th scope="col">Rule</th>
              <th scope="col" data-hide="phone">
                Severity
              </th>
              <th scope="col">
                <span className="ts-visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rules.data.map((rule) => (
              <RuleRow key={rule.id} rule={rule} onEdit={() => onEdit(rule)} />
            ))}
          </tbody>
        </PlainTable>
      )}
    </section>
  );
}

function RuleRow({ rule, onEdit }: { rule: LintRule; onEdit: () => void }) {
  const queries = useQueryClient();
  const canWrite = useCanWrite();
  const settled = {
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: lintKeys.all });
      await queries.invalidateQueries({ queryKey: tapeKeys.lists });
    },
    onError: (error: Error) => showFailure("The rule was not changed", error),
  };
  const toggle = useMutation({
    mutationFn: (isEnabled: boolean) => changeRule(rule.id, { is_enabled: isEnabled }),
    ...settled,
  });
  const remove = useMutation({ mutationFn: () => deleteRule(rule.id), ...settled });
  const name = visibleText(rule.name);
  return (
    <tr>
      <td>
        <Switch
          aria-label={`${name} is on`}
          checked={rule.is_enabled}
          disabled={!canWrite || toggle.isPending}
          onChange={(event) => toggle.mutate(event.currentTarget.checked)}
        />
      </td>
      <td>{name}</td>
      <td>
        <code className={classes.mono}>{visibleText(rule.text)}</code>
        {rule.problem !== "" && <div role="alert">{visibleText(rule.problem)}</div>}
      </td>
      <td data-hide="phone">
        <span className={`ts-inline ${classes.severity}`}>
          <SeverityIcon severity={rule.severity} /> {SEVERITY_WORDS[rule.severity]}
        </span>
      </td>
      <td data-align="end">
        {canWrite && (
          <span className={`ts-inline ${classes.actions}`}>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Edit ${name}`}
              onClick={onEdit}
            >
              Edit
            </Button>
            <ConfirmButton
              size="compact-xs"
              aria-label={`Delete ${name}`}
              question={`Delete the rule ${name} and its findings?`}
              confirm="Delete"
              onConfirm={() => remove.mutate()}
            >
              Delete
            </ConfirmButton>
          </span>
        )}
      </td>
    </tr>
  );
}
