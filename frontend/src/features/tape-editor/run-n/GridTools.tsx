/** What can be done with the branches: group, compare, keep for training. */
import { Button, Menu, SegmentedControl } from "@mantine/core";
import { IconArrowsDiff, IconDownload, IconSchool, IconThumbUp } from "@tabler/icons-react";

import { ForWriters } from "@/api/ForWriters";
import { pairAddress } from "@/api/experiments";
import type { Experiment } from "@/api/types";
import { findBest, findWorst, type Grouping } from "@/features/tape-editor/run-n/branchTable";
import classes from "@/features/tape-editor/run-n/panel.module.css";
import { useExperimentActions } from "@/features/tape-editor/run-n/useExperimentActions";
import { withProject } from "@/lib/project";

interface GridToolsProps {
  experiment: Experiment;
  chosen: readonly number[];
  grouping: Grouping;
  onGrouping: (grouping: Grouping) => void;
  onCompare: (() => void) | null;
}

export function GridTools(props: GridToolsProps) {
  const { experiment, chosen, grouping, onGrouping, onCompare } = props;
  const hasArms = experiment.summary.arms.length > 1;
  return (
    <div className={`ts-row ${classes.tools}`} role="toolbar" aria-label="Branches">
      <SegmentedControl
        aria-label="Group by"
        data={[
          { value: "outcome", label: "By outcome" },
          ...(hasArms ? [{ value: "arm", label: "By variant" }] : []),
          { value: "none", label: "No grouping" },
        ]}
        value={grouping}
        onChange={(value) => onGrouping(value === "arm" || value === "none" ? value : "outcome")}
      />
      <span className={`ts-hint ${classes.keys}`}>
        j k move · Enter opens · y n pass · w keep the winner · p pin · x choose · d compare
      </span>
      <div className={classes.actions}>
        <Button
          variant="default"
          leftSection={<IconArrowsDiff size={14} />}
          disabled={onCompare === null}
          title={chosen.length === 2 ? "" : "Select two branches first (x)"}
          onClick={() => onCompare?.()}
        >
          Compare two
        </Button>
        <ForWriters>
          <BestMenu experiment={experiment} />
        </ForWriters>
      </div>
    </div>
  );
}

function BestMenu({ experiment }: { experiment: Experiment }) {
  const { train, pair } = useExperimentActions(experiment.row.id);
  const best = findBest(experiment.branches);
  const worst = best === undefined ? undefined : findWorst(experiment.branches, best);
  const hasPair = best !== undefined && worst !== undefined;
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconThumbUp size={14} />}
          disabled={best === undefined}
          title={best === undefined ? "Nothing judged yet" : ""}
        >
          Best
        </Button>
      </Menu.Target>
      {best !== undefined && (
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconSchool size={15} />}
            onClick={() => train.mutate(best.number)}
          >
            Best (branch {best.number}) to the training set
          </Menu.Item>
          <Menu.Item
            leftSection={<IconThumbUp size={15} />}
            disabled={!hasPair}
            onClick={() => hasPair && pair.mutate({ best: best.number, worst: worst.number })}
          >
            {hasPair
              ? `Best against worst (${best.number}, ${worst.number}) as a preference pair`
              : "No worse branch with a different text"}
          </Menu.Item>
          {hasPair && (
            <Menu.Item
              component="a"
              href={withProject(pairAddress(experiment.row.id, best.number, worst.number))}
              download
              leftSection={<IconDownload size={15} />}
            >
              Download the pair as JSONL
            </Menu.Item>
          )}
        </Menu.Dropdown>
      )}
    </Menu>
  );
}
