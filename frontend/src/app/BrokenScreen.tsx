import { useRouteError } from "react-router";

import { describeError } from "@/api/client";
import { ErrorState } from "@/ui/States";

/** Shown when a screen crashes or its code cannot be loaded. */
export function BrokenScreen() {
  const error = useRouteError();
  return (
    <ErrorState
      title="This page crashed"
      message={describeError(error)}
      onRetry={() => window.location.reload()}
    />
  );
}
