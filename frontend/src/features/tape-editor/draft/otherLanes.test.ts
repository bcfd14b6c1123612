import { expect, test } from "vitest";

import {
  applyOperations,
  editedContext,
  firstEdited,
  parseOperations,
  resumePoint,
} from "@/features/tape-editor/draft/operations";
import { findUnaffected } from "@/features/tape-editor/draft/otherLanes";
// The server is tested on the same.
import cases from "../../../../../tests/engine/lane_edit_cases.json";

test.each(cases)("$name: steps of other lanes stay", (given) => {
  const operations = parseOperations(given.operations);
  const stepCount = given.steps.length;
  const slots = applyOperations(stepCount, operations);
  const hasContext = editedContext(operations) !== undefined;
  const opening = hasContext ? 0 : null;
  const editedAt = firstEdited(slots, stepCount, opening);
  const resumeAt = resumePoint(slots, stepCount, opening);

  const found = findUnaffected({ slots, stepCount, editedAt, resumeAt, hasContext }, (at) => {
    const step = given.steps[at] ?? "";
    return { lane: step.slice(0, -1).trim(), isObservation: step.endsWith("o") };
  });

  expect([...found]).toEqual(given.unaffected);
});
