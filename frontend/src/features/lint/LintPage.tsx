/** What the linter found across the tapes, the trend over agent versions, and the rules. */
import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";

import { useCanWrite } from "@/api/session";
import type { LintRule } from "@/api/types";
import { DetectorTable } from "@/features/lint/DetectorTable";
import { FindingTable } from "@/features/lint/FindingTable";
import { RuleDrawer } from "@/features/lint/RuleDrawer";
import { RuleTable } from "@/features/lint/RuleTable";
import { TrendTable } from "@/features/lint/TrendTable";
import { PageHeader } from "@/ui/PageHeader";

type Editing = { kind: "none" } | { kind: "new" } | { kind: "rule"; rule: LintRule };

export function LintPage() {
  const [editing, setEditing] = useState<Editing>({ kind: "none" });
  const canWrite = useCanWrite();
  return (
    <>
      <PageHeader title="Linter">
        {canWrite && (
          <Button leftSection={<IconPlus size={14} />} onClick={() => setEditing({ kind: "new" })}>
            Write a rule
          </Button>
        )}
      </PageHeader>
      <div className="ts-page">
        <FindingTable />
        <RuleTable onEdit={(rule) => setEditing({ kind: "rule", rule })} />
        <DetectorTable />
        <TrendTable />
      </div>
      <RuleDrawer
        opened={editing.kind !== "none"}
        rule={editing.kind === "rule" ? editing.rule : null}
        onClose={() => setEditing({ kind: "none" })}
      />
    </>
  );
}
