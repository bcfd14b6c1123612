import { Anchor } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";

import { activeJobsQuery } from "@/api/jobs";
import { goToSignIn } from "@/api/session";
import classes from "@/app/Shell.module.css";
import { lostSince, useConnection } from "@/lib/connection";
import { countOf, formatClock } from "@/lib/format";
import { unheardWords } from "@/lib/unheardQueues";

/** Shows what keeps work from going on: no server, no sign-in, or no worker for what is queued. */
export function ConnectionBanner() {
  const isSignedOut = useConnection((state) => state.isSignedOut);
  const since = useConnection((state) => lostSince(state.lost));
  return (
    <div role="status" aria-live="polite">
      {isSignedOut && (
        <div className={`ts-row ${classes.banner}`}>
          <IconPlugConnectedX size={14} aria-hidden="true" />
          You are signed out.
          <Anchor component="button" type="button" size="sm" onClick={goToSignIn}>
            Sign in
          </Anchor>
        </div>
      )}
      {since !== null && !isSignedOut && (
        <div className={`ts-row ${classes.banner}`}>
          <IconPlugConnectedX size={14} aria-hidden="true" />
          Not connected since {formatClock(since)}. Reconnecting; work on the server is not
          affected.
        </div>
      )}
      {since === null && !isSignedOut && <Unheard />}
    </div>
  );
}

function Unheard() {
  const waiting = (useQuery(activeJobsQuery()).data ?? []).filter(
    ({ unheard_queue: queue }) => queue !== "",
  );
  if (waiting.length === 0) return null;
  const queues = [...new Set(waiting.map(({ unheard_queue: queue }) => queue))].sort();
  return (
    <div className={`ts-row ${classes.banner}`}>
      <IconPlugConnectedX size={14} aria-hidden="true" />
      <span>
        {unheardWords(queues, `${countOf(waiting.length, "job")} queued`)}. Start the workers with{" "}
        <code>manage.py up</code>; <code>manage.py doctor</code> tells what is missing.
      </span>
    </div>
  );
}
