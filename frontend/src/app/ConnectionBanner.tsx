import { Anchor } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";

import { goToSignIn } from "@/api/session";
import classes from "@/app/Shell.module.css";
import { lostSince, useConnection } from "@/lib/connection";
import { formatClock } from "@/lib/format";

/** Shows that the server is out of reach, or that the person is signed out. */
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
    </div>
  );
}
