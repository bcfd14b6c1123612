import { Anchor } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";

import { goToSignIn } from "@/api/session";
import classes from "@/app/Shell.module.css";
import { useConnection } from "@/lib/connection";

/** Says that the server is out of reach, or that it no longer knows who this is. */
export function ConnectionBanner() {
  const isSignedOut = useConnection((state) => state.isSignedOut);
  const isLost = useConnection((state) => state.lost.size > 0);
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
      {isLost && !isSignedOut && (
        <div className={`ts-row ${classes.banner}`}>
          <IconPlugConnectedX size={14} aria-hidden="true" />
          Connection lost. Reconnecting; work on the server is not affected.
        </div>
      )}
    </div>
  );
}
