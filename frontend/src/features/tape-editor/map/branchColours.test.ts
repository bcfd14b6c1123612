import { expect, test } from "vitest";

import { labelOf, otherModels } from "@/features/tape-editor/map/branchColours";
import { buildMember } from "@/features/tape-editor/testing/builders";

const root = buildMember("root", { title: "How far?", models: ["small"] });
const child = buildMember("child", { parent_id: "root", forked_at: 24, title: "How far?" });

test("a branch is called by what was changed, then by its own name or agent, then by its fork", () => {
  const edited = { ...child, edit_words: '#23 content: "Error" → "$36.00"', title: "Mine" };
  const branch = { experiment_id: "x", number: 6, arm: "B", words: "", passed: true };

  expect(labelOf(edited, root)).toBe('#23 content: "Error" → "$36.00"');
  expect(labelOf({ ...child, title: "Mine" }, root)).toBe("Mine");
  expect(labelOf({ ...child, agent_name: "analyst" }, root)).toBe("analyst");
  expect(labelOf(child, root)).toBe("from step 24");
  expect(labelOf({ ...child, branch }, root)).toBe("Fix B · 6");
  expect(labelOf({ ...child, branch: { ...branch, arm: "original" } }, root)).toBe(
    "As recorded · 6",
  );
  expect(labelOf(root, undefined)).toBe("How far?");
});

test("a model is named where a branch asked another than its ancestors", () => {
  const large = { ...child, models: ["large", "small"] };
  const below = buildMember("below", { parent_id: "child", models: ["large"] });
  const silent = { ...root, models: [] };

  expect(otherModels(large, [root, large])).toBe("large");
  expect(otherModels({ ...child, models: ["small"] }, [root])).toBe("");
  expect(otherModels(below, [root, large, below])).toBe("");
  expect(otherModels(large, [silent, large])).toBe("");
});
