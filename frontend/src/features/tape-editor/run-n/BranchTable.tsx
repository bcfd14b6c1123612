import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";

import type { Experiment } from "@/api/types";
import { BranchRow } from "@/features/tape-editor/run-n/BranchRow";
import type {
  BranchGroup,
  Sort,
  SortKey,
  BranchActions,
} from "@/features/tape-editor/run-n/branchTable";
import { VerdictIcon } from "@/features/tape-editor/run-n/VerdictIcon";
import classes from "@/features/tape-editor/run-n/panel.module.css";
import { ELAPSED } from "@/lib/durations";
import { visibleText } from "@/lib/visibleText";

interface BranchTableProps {
  experiment: Experiment;
  groups: readonly BranchGroup[];
  sort: Sort;
  onSort: (sort: Sort) => void;
  active: number | null;
  onActive: (number: number) => void;
  chosen: readonly number[];
  actions: BranchActions;
  now: Date;
}

interface ColumnHead {
  key: SortKey | null;
  label: string;
  title?: string;
  align?: "end";
  hide?: 1 | 2;
}

export function BranchTable(props: BranchTableProps) {
  const { experiment, groups, active, chosen, actions, now, onActive } = props;
  const hasArms = experiment.summary.arms.length > 1;
  const hasConditions = experiment.summary.conditions.length > 1;
  const hasPlaces = experiment.summary.curve.length > 0;
  const columns = listColumns(hasArms, hasConditions || hasPlaces);
  return (
    <table className={classes.table} aria-label="Branches">
      <Head columns={columns} {...props} />
      {groups.map((group) => (
        <tbody key={group.key}>
          {group.label !== "" && <GroupRow group={group} span={columns.length} />}
          {group.branches.map((branch) => (
            <BranchRow
              key={branch.number}
              branch={branch}
              hasArms={hasArms}
              hasCondition={hasConditions || hasPlaces}
              isActive={branch.number === active}
              isChosen={chosen.includes(branch.number)}
              hasPlaces={hasPlaces}
              actions={actions}
              onActive={onActive}
              now={now}
            />
          ))}
        </tbody>
      ))}
    </table>
  );
}

function listColumns(hasArms: boolean, hasCondition: boolean): ColumnHead[] {
  return [
    { key: null, label: "" },
    { key: "number", label: "#" },
    ...(hasArms ? [{ key: null, label: "Variant" }] : []),
    ...(hasCondition ? [{ key: null, label: "Condition", hide: 1 as const }] : []),
    { key: null, label: "Pass" },
    { key: "score", label: "Score", align: "end" },
    { key: null, label: "Last step" },
    { key: null, label: "Kinds", hide: 1 },
    { key: "steps", label: "Steps", title: "New steps", align: "end" },
    {
      key: "divergence",
      label: "Diverges",
      title: "First new step that differs from the recording",
      align: "end",
      hide: 1,
    },
    { key: "cost", label: "Cost", align: "end", hide: 2 },
    { key: "time", label: "Elapsed", title: ELAPSED, align: "end", hide: 2 },
    { key: null, label: "" },
  ];
}

function Head({ columns, sort, onSort }: BranchTableProps & { columns: readonly ColumnHead[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ key, label, title, align, hide }, index) => (
          <th
            key={`${label}${index}`}
            scope="col"
            data-align={align}
            data-hide={hide}
            title={title}
            aria-sort={
              key === null || sort.key !== key
                ? undefined
                : sort.isDescending
                  ? "descending"
                  : "ascending"
            }
          >
            {key === null ? (
              label
            ) : (
              <button
                type="button"
                className={`ts-inline ${classes.sort}`}
                onClick={() =>
                  onSort({ key, isDescending: sort.key === key && !sort.isDescending })
                }
              >
                {label}
                {sort.key === key &&
                  (sort.isDescending ? (
                    <IconArrowDown size={12} aria-hidden="true" />
                  ) : (
                    <IconArrowUp size={12} aria-hidden="true" />
                  ))}
              </button>
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function GroupRow({ group, span }: { group: BranchGroup; span: number }) {
  return (
    <tr className={classes.group}>
      <th scope="rowgroup" colSpan={span}>
        {group.verdict !== null && <VerdictIcon verdict={group.verdict} />}
        <span>{group.label}</span>
        <span className={classes.count}>{group.branches.length}</span>
        {group.outcome !== "" && (
          <span
            className={`ts-truncate ${classes.groupOutcome}`}
            title={visibleText(group.outcome)}
          >
            {visibleText(group.outcome)}
          </span>
        )}
      </th>
    </tr>
  );
}
