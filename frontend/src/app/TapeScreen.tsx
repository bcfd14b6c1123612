/** The page of a tape, with the parts that other features contribute. */
import { lazy } from "react";

import { CompareProvider, type DrawCompared, TapePage } from "@/features/tape-editor";

const ComparePane = lazy(async () => ({
  default: (await import("@/features/tape-diff")).ComparePane,
}));

const drawCompared: DrawCompared = (compared) => <ComparePane {...compared} />;

export function TapeScreen() {
  return (
    <CompareProvider value={drawCompared}>
      <TapePage />
    </CompareProvider>
  );
}
