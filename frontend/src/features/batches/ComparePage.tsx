/** Two batches side by side: pass rates, metrics, where tapes diverge, and each pair. */
import { ActionIcon, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconArrowsDiff, IconArrowsLeftRight } from "@tabler/icons-react";

import { batchDiffQuery } from "@/api/batches";
import { describeError, wayBack } from "@/api/client";
import type { BatchDiff } from "@/api/types";
import classes from "@/features/batches/batches.module.css";
import { LeftOutTable } from "@/features/batches/LeftOutTable";
import { MetricTable } from "@/features/batches/MetricTable";
import { OutcomeSummary } from "@/features/batches/OutcomeSummary";
import { PairKeyInput } from "@/features/batches/PairKeyInput";
import { PairList } from "@/features/batches/PairList";
import { DivergenceTable } from "@/features/batches/DivergenceTable";
import { countOf } from "@/lib/format";
import { useAddress } from "@/lib/useAddress";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState, ErrorState, RowsSkeleton } from "@/ui/States";

export function ComparePage() {
  const [params, change] = useAddress();
  const a = params.get("a") ?? "";
  const b = params.get("b") ?? "";
  const by = params.get("by") ?? "task";
  const diff = useQuery({ ...batchDiffQuery(a, b, by), enabled: a !== "" && b !== "" });
  return (
    <>
      <PageHeader
        title="Compare batches"
        guide="batches"
        note={diff.data && describePairs(diff.data)}
      >
        <PairKeyInput key={by} value={by} onChange={(next) => change({ by: next, change: null })} />
        <Tooltip label="Swap sides">
          <ActionIcon aria-label="Swap sides" onClick={() => change({ a: b, b: a, change: null })}>
            <IconArrowsLeftRight size={16} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </PageHeader>
      {a === "" || b === "" ? (
        <EmptyState title="Nothing to compare" icon={<IconArrowsDiff size={24} stroke={1.5} />}>
          Select two batches on the Batches page, then choose Compare.
        </EmptyState>
      ) : diff.isPending ? (
        <RowsSkeleton label="Comparing the batches" />
      ) : diff.data === undefined || diff.isError ? (
        <ErrorState
          title="The batches could not be compared"
          message={describeError(diff.error)}
          back={wayBack(diff.error, "/batches", "batches")}
          onRetry={() => void diff.refetch()}
        />
      ) : (
        <Comparison
          diff={diff.data}
          shown={params.get("change")}
          onShow={(next) => change({ change: next }, { replace: true })}
        />
      )}
    </>
  );
}

interface ComparisonProps {
  diff: BatchDiff;
  /** The outcome change that the list of pairs is filtered by: "pass-fail". */
  shown: string | null;
  onShow: (change: string | null) => void;
}

function Comparison({ diff, shown, onShow }: ComparisonProps) {
  return (
    <div className="ts-page">
      <CutNotice diff={diff} />
      <OutcomeSummary diff={diff} shown={shown} onShow={onShow} />
      <div className={`ts-section ${classes.columns}`}>
        <MetricTable diff={diff} />
        <DivergenceTable diff={diff} />
      </div>
      <PairList diff={diff} shown={shown} onShow={onShow} />
      {diff.left_out.length > 0 && <LeftOutTable diff={diff} />}
    </div>
  );
}

function CutNotice({ diff }: { diff: BatchDiff }) {
  const cut = [diff.left, diff.right].filter(({ is_cut }) => is_cut);
  if (cut.length === 0 && diff.unmatched_count === 0) return null;
  const tapes = cut[0]?.tape_count ?? 0;
  return (
    <p className={classes.note} role="status">
      {cut.length > 0 &&
        `Only the first ${countOf(tapes, "tape")} of ${cut.length === 2 ? "each batch" : "the larger batch"} were compared. `}
      {diff.unmatched_count > 0 &&
        `${countOf(diff.unmatched_count, "pair")} had too many steps to find where they diverge.`}
    </p>
  );
}

function describePairs(diff: BatchDiff): string {
  const parts = [countOf(diff.pairs.length, "pair"), `${diff.equal_count} equal`];
  if (diff.left_out.length > 0) parts.push(`${diff.left_out.length} unpaired`);
  return parts.join(", ");
}
