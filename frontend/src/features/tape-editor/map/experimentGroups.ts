/** Which tapes of a family belong to one experiment and share a line. Pure. */
import type { FamilyMember } from "@/api/types";

export interface BranchCounts {
  count: number;
  passed: number;
  judged: number;
}

export interface ExperimentGroup {
  id: string;
  members: readonly FamilyMember[];
  /** The counts of its branches, including those below its edits. */
  counts: BranchCounts;
}

interface GroupingOptions {
  /** Whether the child gets a line by itself. */
  isAlone: (child: FamilyMember) => boolean;
  experimentOf: ReadonlyMap<string, string>;
  childrenOf: (id: string) => readonly FamilyMember[];
}

/** The key under which a map stores that an experiment is unfolded. */
export const foldKey = (experimentId: string) => `experiment-${experimentId}`;

/** Which experiment a tape belongs to: as a branch, or as the edit that its branches fork from. */
export function findExperiments(family: readonly FamilyMember[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { branch, parent_id: parentId } of family) {
    if (branch === null || branch.arm === "original" || parentId === null) continue;
    found.set(parentId, branch.experiment_id);
  }
  for (const { id, branch } of family) if (branch !== null) found.set(id, branch.experiment_id);
  return found;
}

/** The children of one tape: those of experiments grouped, the others in their order. */
export function groupExperiments(children: readonly FamilyMember[], options: GroupingOptions) {
  const { isAlone, experimentOf, childrenOf } = options;
  const byExperiment = new Map<string, FamilyMember[]>();
  const others: FamilyMember[] = [];
  for (const child of children) {
    const id = experimentOf.get(child.id);
    if (id === undefined || isAlone(child)) others.push(child);
    else byExperiment.set(id, [...(byExperiment.get(id) ?? []), child]);
  }
  const groups = [...byExperiment].map(([id, members]): ExperimentGroup => ({
    id,
    members,
    counts: countBranches([...members, ...members.flatMap((one) => childrenOf(one.id))], id),
  }));
  return { groups, others };
}

function countBranches(members: readonly FamilyMember[], experimentId: string): BranchCounts {
  const branches = members.flatMap(({ branch }) =>
    branch?.experiment_id === experimentId ? branch : [],
  );
  return {
    count: branches.length,
    passed: branches.filter(({ passed }) => passed === true).length,
    judged: branches.filter(({ passed }) => passed !== null).length,
  };
}
