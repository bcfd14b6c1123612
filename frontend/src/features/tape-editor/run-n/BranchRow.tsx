/** One branch: what it is, its result, and its judgment. */
import { ActionIcon, Checkbox, Tooltip } from "@mantine/core";
import { IconPin, IconPinFilled } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { Link } from "react-router";

import type { Branch } from "@/api/types";
import {
  armName,
  secondsOf,
  VERDICT_WORDS,
  verdictOf,
  type BranchActions,
} from "@/features/tape-editor/run-n/branchTable";
import { KindSpark } from "@/features/tape-editor/run-n/KindSpark";
import { VerdictIcon } from "@/features/tape-editor/run-n/VerdictIcon";
import classes from "@/features/tape-editor/run-n/panel.module.css";
import { dollars } from "@/lib/money";
import { visibleText } from "@/lib/visibleText";
import { Cost, Count, Duration } from "@/ui/Quantities";

interface BranchRowProps {
  branch: Branch;
  hasArms: boolean;
  hasCondition: boolean;
  isActive: boolean;
  isChosen: boolean;
  hasPlaces: boolean;
  actions: BranchActions;
  onActive: (number: number) => void;
  now: Date;
}

export function BranchRow(props: BranchRowProps) {
  const { branch, hasArms, hasCondition, hasPlaces, isActive, isChosen, actions, onActive, now } =
    props;
  const { number } = branch;
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  return (
    <tr
      ref={row}
      className={classes.row}
      data-active={isActive || undefined}
      aria-current={isActive ? "true" : undefined}
      data-chosen={isChosen || undefined}
      onClick={() => onActive(number)}
      onDoubleClick={() => actions.open(branch)}
    >
      <td>
        <Checkbox
          aria-label={`Choose branch ${number}`}
          checked={isChosen}
          onChange={() => actions.toggleChosen(branch)}
        />
      </td>
      <th scope="row">
        <Link to={`/t/${branch.tape_id}`} aria-label={`Open branch ${number}`}>
          {number}
        </Link>
      </th>
      {hasArms && <td>{armName(branch.arm)}</td>}
      {hasCondition && (
        <td data-hide={1} className="ts-truncate" title={describeCondition(branch, hasPlaces)}>
          {describeCondition(branch, hasPlaces)}
        </td>
      )}
      <td>
        <PassButton branch={branch} actions={actions} />
      </td>
      <td data-align="end">{branch.score === null ? "–" : branch.score.toFixed(2)}</td>
      <LastStep {...props} />
      <td data-hide={1}>
        <KindSpark spark={branch.spark} title={`Steps of branch ${number}`} />
      </td>
      <td data-align="end">
        <Count value={branch.step_count} />
      </td>
      <td data-align="end" data-hide={1}>
        {branch.first_divergence === null ? "–" : `step ${branch.first_divergence}`}
      </td>
      <td data-align="end" data-hide={2}>
        <BranchCost branch={branch} />
      </td>
      <td data-align="end" data-hide={2}>
        <Duration value={secondsOf(branch, now)} />
      </td>
      <td data-align="end">
        <PinButton branch={branch} actions={actions} />
      </td>
    </tr>
  );
}

/** Before its first call a branch costs nothing; without a price, the known part is a minimum. */
function BranchCost({ branch }: { branch: Branch }) {
  const cost = dollars(branch.cost_micro_usd);
  if (branch.is_cost_known) return <Cost value={cost} />;
  return cost === 0 ? (
    <Cost value={null} />
  ) : (
    <>
      at least <Cost value={cost} />
    </>
  );
}

function describeCondition(branch: Branch, hasPlaces: boolean): string {
  const { model_name: name, temperature, kept_count: kept } = branch;
  return [
    name === "" ? "agent default" : visibleText(name),
    ...(temperature === null ? [] : [`T ${temperature}`]),
    ...(hasPlaces ? [`kept through ${kept - 1}`] : []),
  ].join(", ");
}

/** What it waits for, why it failed, its result, or why nobody judged it. */
function resultOf({ message, outcome, judged_as: by, reason }: Branch): string {
  if (message !== "") return message;
  return outcome === "" && by === "" ? reason : outcome;
}

function LastStep({ branch }: BranchRowProps) {
  const text = resultOf(branch);
  const isProblem = branch.state === "failed" || branch.state === "waiting";
  return (
    <td className={classes.last} title={visibleText(text)}>
      {branch.is_deleted && <span className={classes.dim}>deleted </span>}
      {branch.last_kind !== "" && (
        <span className={`ts-hint ${classes.kind}`}>{visibleText(branch.last_kind)} </span>
      )}
      <span className={isProblem ? classes.bad : undefined}>{visibleText(text)}</span>
    </td>
  );
}

/** A click judges it as passed, a second as not passed, a third removes the judgment. */
function PassButton({ branch, actions }: { branch: Branch; actions: BranchActions }) {
  const verdict = verdictOf(branch);
  const words = VERDICT_WORDS[verdict];
  const why = [
    branch.judged_by === "" ? "" : `by ${visibleText(branch.judged_by)}`,
    visibleText(branch.reason),
  ].filter((part) => part !== "");
  return (
    <Tooltip label={why.join(": ")} disabled={why.length === 0} multiline maw={360}>
      <button
        type="button"
        className={`ts-inline ${classes.pass}`}
        aria-label={`${words}; judge branch ${branch.number}`}
        onClick={(event) => {
          event.stopPropagation();
          actions.judge(branch, nextJudgement(branch));
        }}
      >
        <VerdictIcon verdict={verdict} />
        <span>{words}</span>
      </button>
    </Tooltip>
  );
}

/** Not judged, passed, did not pass, not judged: the last sends "does not pass" a second time. */
function nextJudgement({ passed, judged_as: by }: Branch): boolean {
  if (by !== "person") return passed !== true;
  return passed === true ? false : passed === null;
}

function PinButton({ branch, actions }: { branch: Branch; actions: BranchActions }) {
  const { is_pinned: isPinned, number } = branch;
  return (
    <ActionIcon
      size={24}
      aria-label={`Pin branch ${number}`}
      aria-pressed={isPinned}
      title="Keep it visible in the branch map (p)"
      onClick={(event) => {
        event.stopPropagation();
        actions.pin(branch);
      }}
    >
      {isPinned ? (
        <IconPinFilled size={14} color="var(--ts-accent)" />
      ) : (
        <IconPin size={14} stroke={1.75} />
      )}
    </ActionIcon>
  );
}
