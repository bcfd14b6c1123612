/** Creates or edits a rule, which is parsed and tried on the newest tapes as the person types. */
import { Alert, Button, Drawer, Input, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { describeError } from "@/api/client";
import { changeRule, createRule, lintKeys } from "@/api/lint";
import { tapeKeys } from "@/api/tapes";
import type { LintRule, LintRuleIn, LintSeverity } from "@/api/types";
import { RuleHelp } from "@/features/lint/RuleHelp";
import { RuleText } from "@/features/lint/RuleText";
import { SEVERITY_WORDS } from "@/ui/SeverityIcon";

interface RuleDrawerProps {
  opened: boolean;
  /** `null` creates a new rule. */
  rule: LintRule | null;
  onClose: () => void;
}

export function RuleDrawer({ opened, rule, onClose }: RuleDrawerProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={520}
      transitionProps={{ duration: 150, exitDuration: 0 }}
      title={rule === null ? "Write a rule" : "Edit the rule"}
    >
      <RuleFields key={rule?.id ?? "new"} rule={rule} onClose={onClose} />
    </Drawer>
  );
}

const SEVERITIES: LintSeverity[] = ["error", "warning", "info"];

function RuleFields({ rule, onClose }: Omit<RuleDrawerProps, "opened">) {
  const [form, setForm] = useState<LintRuleIn>({
    name: rule?.name ?? "",
    text: rule?.text ?? "",
    severity: rule?.severity ?? "warning",
    is_enabled: rule?.is_enabled ?? true,
  });
  const queries = useQueryClient();
  const change = (part: Partial<LintRuleIn>) => setForm({ ...form, ...part });
  const save = useMutation({
    mutationFn: () => (rule === null ? createRule(form) : changeRule(rule.id, form)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: lintKeys.all });
      await queries.invalidateQueries({ queryKey: tapeKeys.lists });
      onClose();
    },
  });
  const isReady = form.name.trim() !== "" && form.text.trim() !== "";
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) save.mutate();
      }}
    >
      <Stack gap={12}>
        <TextInput
          label="Name"
          description="The name shown on its findings."
          data-autofocus
          maxLength={100}
          value={form.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <RuleText value={form.text} onChange={(text) => change({ text })} />
        <RuleHelp onPick={(text) => change({ text })} />
        <Input.Wrapper label="Severity" labelElement="div">
          <SegmentedControl
            aria-label="Severity"
            fullWidth
            data={SEVERITIES.map((value) => ({ value, label: SEVERITY_WORDS[value] }))}
            value={form.severity}
            onChange={(severity) => change({ severity })}
          />
        </Input.Wrapper>
        {save.isError && (
          <Alert color="red" role="alert">
            {describeError(save.error)}
          </Alert>
        )}
        <Button type="submit" disabled={!isReady} loading={save.isPending}>
          Save the rule
        </Button>
      </Stack>
    </form>
  );
}
