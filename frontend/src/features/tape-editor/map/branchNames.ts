/** The names of branches: on the map, and wherever a branch is chosen. */
import type { FamilyMember } from "@/api/types";
import { shortWords } from "@/features/tape-editor/fixes";
import { visibleText } from "@/lib/visibleText";

export interface BranchName {
  /** In full; a line of the map shows a shortened version. */
  label: string;
  words: string;
  /** The models that it called and none of its ancestors did. */
  models: string;
  /** "(2)" for the second of this name, by age; empty for the first. */
  number: string;
}

/** The names of a family's branches by tape: no two are the same. */
export function nameBranches(family: readonly FamilyMember[]): ReadonlyMap<string, BranchName> {
  const byId = new Map(family.map((member) => [member.id, member]));
  const counts = new Map<string, number>();
  const names = new Map<string, BranchName>();
  const byAge = family.toSorted((one, other) => one.created_at.localeCompare(other.created_at));
  for (const member of byAge) {
    const label = visibleText(labelOf(member, byId.get(member.parent_id ?? "")));
    const words = shortWords(label);
    const models = visibleText(otherModels(member, byId));
    const key = `${words}\n${models}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    names.set(member.id, { label, words, models, number: count > 1 ? `(${count})` : "" });
  }
  return names;
}

/** What distinguishes a branch from its parent: its change, its name or agent, or the fork. */
function labelOf(member: FamilyMember, parent: FamilyMember | undefined): string {
  const { branch, edit_words: edit } = member;
  if (branch !== null) return `${branchName(branch)} · ${branch.number}`;
  if (edit !== "") return edit;
  if (parent === undefined) return member.title === "" ? "Untitled tape" : member.title;
  if (member.title !== parent.title && member.title !== "") return member.title;
  if (member.agent_name !== parent.agent_name && member.agent_name !== "") return member.agent_name;
  return `from step ${member.forked_at ?? 0}`;
}

/** Empty if its ancestors called none. */
function otherModels(member: FamilyMember, byId: ReadonlyMap<string, FamilyMember>): string {
  const known = new Set<string>();
  const seen = new Set([member.id]);
  const parentOf = ({ parent_id: id }: FamilyMember) => byId.get(id ?? "");
  for (let at = parentOf(member); at !== undefined && !seen.has(at.id); at = parentOf(at)) {
    seen.add(at.id);
    for (const model of at.models) known.add(model);
  }
  return known.size === 0 ? "" : member.models.filter((one) => !known.has(one)).join(", ");
}

function branchName({ arm }: NonNullable<FamilyMember["branch"]>): string {
  if (arm === "original") return "As recorded";
  return arm === "edited" ? "As edited" : `Fix ${arm}`;
}
