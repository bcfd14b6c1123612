import { useEffect, useState } from "react";
import { useRouteError } from "react-router";

import { describeError } from "@/api/client";
import { isLostCode, reloadFor, wasReloadedFor } from "@/app/lostCode";
import { ErrorState } from "@/ui/States";

const ASK_AGAIN_MS = 2000;

/** Shown when a screen crashes or its code cannot be loaded. */
export function BrokenScreen() {
  const error = useRouteError();
  if (isLostCode(error)) return <UnloadedScreen error={error} />;
  return (
    <ErrorState
      title="This page crashed"
      message={`${describeError(error)} Nothing stored is lost; load the page again.`}
      onRetry={() => window.location.reload()}
    />
  );
}

/** Shown while a screen's code cannot be loaded; reloads as soon as the server answers. */
function UnloadedScreen({ error }: { error: Error }) {
  const isMissing = useReturn(error);
  return (
    <ErrorState
      title="This page could not be loaded"
      message={
        isMissing
          ? "The server answers, but a file of this page is missing there. Restart the studio, then try again."
          : "The server does not answer. The page opens by itself as soon as it does; work on the server is not affected."
      }
      onRetry={() => window.location.reload()}
    />
  );
}

/** Ask until the server answers, then reload; `true` if a reload has not helped before. */
function useReturn(error: Error): boolean {
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    let wasAway = false;
    const ask = async () => {
      const isUp = await fetch(window.location.pathname).then(
        ({ ok }) => ok,
        () => false,
      );
      if (!isUp) wasAway = true;
      else if (!wasAway && wasReloadedFor(error)) setMissing(true);
      else reloadFor(error);
    };
    void ask();
    const timer = setInterval(() => void ask(), ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [error]);
  return isMissing;
}
