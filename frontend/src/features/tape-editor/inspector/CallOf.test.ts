import { expect, test } from "vitest";

import { explainMissingCall } from "@/features/tape-editor/inspector/CallOf";
import { buildRow } from "@/features/tape-editor/testing/builders";

test.each([
  [{ writer: "environment" }, "The environment wrote it."],
  [{ writer: "person" }, "A person wrote it."],
  [{ writer: "agent", node: "Plan" }, "The node Plan did not call a model."],
  [
    { writer: "import", agent: "", family: "observation" },
    "Observations are not written by a model.",
  ],
  [
    { writer: "import", agent: "", family: "action" },
    "The imported file does not say who wrote it.",
  ],
  [{ writer: "import", agent: "bot" }, "The imported file has no call with this step's prompt id."],
] as const)("of a step %j without a recorded call it is said what is known", (values, told) => {
  expect(explainMissingCall({ recorded: buildRow(1, values) })).toBe(told);
});

test("a step of a draft has no call yet", () => {
  expect(explainMissingCall({ recorded: null })).toBe("A person wrote it in this draft.");
});
