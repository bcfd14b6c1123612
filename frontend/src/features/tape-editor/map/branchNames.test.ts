import { expect, test } from "vitest";

import type { FamilyMember } from "@/api/types";
import { nameBranches } from "@/features/tape-editor/map/branchNames";
import { buildMember } from "@/features/tape-editor/testing/builders";

const root = buildMember("root", { title: "How far?", models: ["small"] });
const child = buildMember("child", { parent_id: "root", forked_at: 24, title: "How far?" });

function nameOf(member: FamilyMember, ...others: readonly FamilyMember[]) {
  const { label, models } = nameBranches([...others, member]).get(member.id) ?? {};
  return { label, models };
}

test("a branch is called by what was changed, then by its own name or agent, then by its fork", () => {
  const edited = { ...child, edit_words: '#23 content: "Error" → "$36.00"', title: "Mine" };
  const branch = { experiment_id: "x", number: 6, arm: "B", words: "", passed: true };
  const recorded = { ...child, branch: { ...branch, arm: "original" } };

  expect(nameOf(edited, root).label).toBe('#23 content: "Error" → "$36.00"');
  expect(nameOf({ ...child, title: "Mine" }, root).label).toBe("Mine");
  expect(nameOf({ ...child, agent_name: "analyst" }, root).label).toBe("analyst");
  expect(nameOf(child, root).label).toBe("from step 24");
  expect(nameOf({ ...child, branch }, root).label).toBe("Fix B · 6");
  expect(nameOf(recorded, root).label).toBe("As recorded · 6");
  expect(nameOf(root).label).toBe("How far?");
});

test("a model is named where a branch asked another than its ancestors", () => {
  const large = { ...child, models: ["large", "small"] };
  const below = buildMember("below", { parent_id: "child", models: ["large"] });
  const silent = { ...root, models: [] };

  expect(nameOf(large, root).models).toBe("large");
  expect(nameOf({ ...child, models: ["small"] }, root).models).toBe("");
  expect(nameOf(below, root, large).models).toBe("");
  expect(nameOf(large, silent).models).toBe("");
});

test("branches with the same edit are numbered by age, also where only their short words agree", () => {
  const edit = (id: string, created_at: string, was: string): FamilyMember => ({
    ...child,
    id,
    created_at,
    edit_words: `#8 content: "${was}" → "x"`,
  });
  const newest = edit("c", "2026-11-03T10:00:00Z", "1");
  const oldest = edit("a", "2026-11-01T10:00:00Z", "2");
  const middle = edit("b", "2026-11-02T10:00:00Z", "1");

  const names = nameBranches([root, newest, oldest, middle]);

  expect(["a", "b", "c"].map((id) => names.get(id)?.number)).toEqual(["", "(2)", "(3)"]);
});
