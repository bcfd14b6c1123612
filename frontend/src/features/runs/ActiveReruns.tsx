/** Reruns as a whole: each consists of many runs, which are also in the list below. */
import { Button, Progress } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { IconPlayerStop } from "@tabler/icons-react";
import { Link } from "react-router";

import { ForWriters } from "@/api/ForWriters";
import { jobKeys } from "@/api/jobs";
import { activeRerunsQuery, cancelRerun } from "@/api/reruns";
import { showFailure } from "@/api/showFailure";
import type { Rerun } from "@/api/types";
import classes from "@/features/runs/Runs.module.css";
import { formatExact, formatSpent } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

export function ActiveReruns() {
  const reruns = useQuery(activeRerunsQuery());
  if (reruns.data === undefined || reruns.data.length === 0) return null;
  return (
    <ul className={classes.list} aria-label="Reruns">
      {reruns.data.map((rerun) => (
        <ActiveRerun key={rerun.id} rerun={rerun} />
      ))}
    </ul>
  );
}

function ActiveRerun({ rerun }: { rerun: Rerun }) {
  const { done_count: done, tape_count: total, spent } = rerun;
  const name = visibleText(rerun.batch_name);
  return (
    <li className={classes.job}>
      <span>{rerun.state === "preparing" ? "Creating tapes" : "Running"}</span>
      <div className={classes.what}>
        <div className={`ts-row ${classes.title}`}>
          <span className={`ts-caption ${classes.kind}`}>rerun</span>
          <Link className={`ts-truncate ${classes.link}`} to={`/runs/${rerun.id}`} title={name}>
            {name}
          </Link>
        </div>
        <div className="ts-truncate ts-dimmed">
          {formatSpent(spent.tokens, { ...rerun, cost_micro_usd: spent.micro_usd })}
        </div>
      </div>
      <div className={`ts-column ts-caption ${classes.progress}`}>
        <Progress
          size={4}
          value={total === 0 ? 0 : (100 * done) / total}
          aria-label={`Progress of ${name}`}
        />
        <span className="ts-number">
          {formatExact(done)} of {formatExact(total)}
        </span>
      </div>
      <span />
      <ForWriters>
        <CancelAll rerun={rerun} />
      </ForWriters>
    </li>
  );
}

function CancelAll({ rerun }: { rerun: Rerun }) {
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelRerun(rerun.id),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ["reruns"] });
      await queries.invalidateQueries({ queryKey: jobKeys.all });
    },
    onError: (error) => showFailure("The rerun was not cancelled", error),
  });
  return (
    <Button
      variant="default"
      leftSection={<IconPlayerStop size={14} />}
      loading={cancel.isPending}
      aria-label={`Cancel ${visibleText(rerun.batch_name)}`}
      onClick={() => cancel.mutate()}
    >
      Cancel
    </Button>
  );
}
