/** The family of a tape as a tree: its lines in map order, its forks, and what is folded. */
import type { FamilyMember } from "@/api/types";
import {
  type BranchCounts,
  findExperiments,
  foldKey,
  groupExperiments,
} from "@/features/tape-editor/map/experimentGroups";

/** How many branches of one tape are shown before the older ones are folded. */
const SHOWN_CHILDREN = 4;

export interface BranchLine {
  type: "branch";
  key: string;
  member: FamilyMember;
  depth: number;
  /** Where its own steps start; the prefix is on its parent's line. */
  start: number;
  /** Forks of earlier lines with branches further below: a vertical runs through this line. */
  rails: readonly number[];
  /** Where branches leave this line. */
  forks: readonly number[];
  /** How far this line is on the path from the oldest tape to the open one; `null` if it is not. */
  pathEnd: number | null;
}

/** Branches that nobody pinned, combined on one line. */
export interface FoldedLine {
  type: "folded";
  key: string;
  foldKey: string;
  depth: number;
  start: number;
  count: number;
  isOpen: boolean;
  rails: readonly number[];
}

/** The branches of one experiment and the tapes that hold its edits, combined on one line. */
export interface ExperimentLine extends BranchCounts {
  type: "experiment";
  key: string;
  /** The key that unfolds it; all lines of the experiment share it. */
  foldKey: string;
  depth: number;
  start: number;
  isOpen: boolean;
  rails: readonly number[];
}

export type MapLine = BranchLine | FoldedLine | ExperimentLine;

export interface MapOptions {
  openId: string;
  /** The `foldKey`s of the unfolded lines. */
  unfolded: ReadonlySet<string>;
}

interface Tree {
  roots: readonly FamilyMember[];
  childrenOf: (id: string) => readonly FamilyMember[];
  byId: ReadonlyMap<string, FamilyMember>;
}

export function listLines(family: readonly FamilyMember[], options: MapOptions): MapLine[] {
  const tree = plantTree(family);
  const kept = keptTapes(family, tree, options.openId);
  const path = pathTo(tree, options.openId);
  const lines: MapLine[] = [];
  const experimentOf = findExperiments(family);
  const add = (member: FamilyMember, depth: number, rails: readonly number[]) => {
    const children = tree.childrenOf(member.id);
    const own = experimentOf.get(member.id);
    const isOwnOpen = own !== undefined && options.unfolded.has(foldKey(own));
    const { groups, others } = groupExperiments(children, {
      // In an unfolded experiment, its edits show their branches too.
      isAlone: (child) => isOwnOpen || kept.has(child.id),
      experimentOf,
      childrenOf: tree.childrenOf,
    });
    const { shown, folded } = isOwnOpen ? { shown: others, folded: [] } : partition(others, kept);
    const foldedKey = `folded-${member.id}`;
    const isOpen = options.unfolded.has(foldedKey);
    lines.push({
      type: "branch",
      key: member.id,
      member,
      depth,
      start: startOf(member, tree),
      rails,
      forks: [...new Set(forksOf(children))],
      pathEnd: pathEnd(path, member),
    });
    const inGroups = groups.flatMap(({ members }) => members);
    // Latest forks first: the verticals of earlier forks run to the left of their lines.
    const addAll = (members: readonly FamilyMember[], after: readonly FamilyMember[]) => {
      const ordered = inOrder(members);
      ordered.forEach((child, at) => {
        add(child, depth + 1, [...rails, ...forksOf([...ordered.slice(at + 1), ...after])]);
      });
    };
    addAll(isOpen ? [...shown, ...folded] : shown, [...inGroups, ...(isOpen ? [] : folded)]);
    groups.forEach(({ id, members, counts }, at) => {
      const isUnfolded = options.unfolded.has(foldKey(id));
      const below = groups.slice(at + 1).flatMap((later) => later.members);
      const after = [...below, ...(isOpen ? [] : folded)];
      lines.push({
        type: "experiment",
        key: `${foldKey(id)}-${member.id}`,
        foldKey: foldKey(id),
        depth: depth + 1,
        start: Math.min(...forksOf(members)),
        ...counts,
        isOpen: isUnfolded,
        rails: [...rails, ...forksOf(after)],
      });
      if (isUnfolded) addAll(members, after);
    });
    if (folded.length > 0) {
      lines.push({
        type: "folded",
        key: foldedKey,
        foldKey: foldedKey,
        depth: depth + 1,
        start: Math.min(...forksOf(folded)),
        count: sum(folded.map((child) => sizeOf(tree, child))),
        isOpen,
        rails,
      });
    }
  };
  for (const root of tree.roots) add(root, 0, []);
  return lines;
}

/** The lines that represent a tape, in the order of the map. */
export function listTapes(lines: readonly MapLine[]): FamilyMember[] {
  return lines.flatMap((line) => (line.type === "branch" ? [line.member] : []));
}

/** The tape before or after this one on the map; `null` at the ends. */
export function neighbourOf(lines: readonly MapLine[], id: string, by: 1 | -1): string | null {
  const tapes = listTapes(lines);
  const at = tapes.findIndex((member) => member.id === id);
  return at < 0 ? null : (tapes[at + by]?.id ?? null);
}

/** The alternatives at one place after the same steps: the tapes that differ there. */
export interface Fork {
  position: number;
  tapes: readonly FamilyMember[];
  /** The index of the alternative that the open tape has. */
  current: number;
}

/** Every place at which the open tape could have continued differently, by position. */
export function listForks(
  family: readonly FamilyMember[],
  openId: string,
): ReadonlyMap<number, Fork> {
  const tree = plantTree(family);
  const open = tree.byId.get(openId);
  const forks = new Map<number, Fork>();
  if (open === undefined) return forks;
  for (const position of new Set(forksOf(family.filter((one) => one.parent_id !== null)))) {
    const fork = forkAt(tree, open, position);
    if (fork !== null) forks.set(position, fork);
  }
  return forks;
}

function forkAt(tree: Tree, open: FamilyMember, position: number): Fork | null {
  let base = open;
  let own: FamilyMember | null = null;
  // A tape that forked at a later step still has its parent's step here.
  while (startOf(base, tree) >= position) {
    const parent = base.parent_id === null ? undefined : tree.byId.get(base.parent_id);
    if (parent === undefined) break;
    if (startOf(base, tree) === position) own ??= base;
    base = parent;
  }
  const tapes = base.step_count > position ? [base] : [];
  collect(tree, base, position, tapes);
  const current = tapes.indexOf(own ?? base);
  return tapes.length < 2 || current < 0 ? null : { position, tapes, current };
}

function collect(tree: Tree, from: FamilyMember, position: number, found: FamilyMember[]): void {
  for (const child of byAge(tree.childrenOf(from.id))) {
    const start = startOf(child, tree);
    if (start === position) found.push(child);
    if (start >= position) collect(tree, child, position, found);
  }
}

function plantTree(family: readonly FamilyMember[]): Tree {
  const byId = new Map(family.map((member) => [member.id, member]));
  const children = new Map<string, FamilyMember[]>();
  const roots: FamilyMember[] = [];
  for (const member of family) {
    const from = leftFrom(byId, member);
    if (from === undefined) roots.push(member);
    else children.set(from.id, [...(children.get(from.id) ?? []), member]);
  }
  return { byId, roots: byAge(roots), childrenOf: (id) => children.get(id) ?? [] };
}

/** The tape whose own steps end where this one starts: a parent may itself share those steps.
 *
 * A child whose parent is not in the family is still shown.
 */
function leftFrom(
  byId: ReadonlyMap<string, FamilyMember>,
  { parent_id: parentId, forked_at: fork }: FamilyMember,
): FamilyMember | undefined {
  let parent = byId.get(parentId ?? "");
  for (let at = 0; at < byId.size && parent !== undefined; at += 1) {
    const above = byId.get(parent.parent_id ?? "");
    if (above === undefined || (parent.forked_at ?? 0) < (fork ?? 0)) return parent;
    parent = above;
  }
  return parent;
}

function startOf(member: FamilyMember, tree: Tree): number {
  if (member.parent_id === null || !tree.byId.has(member.parent_id)) return 0;
  return member.forked_at ?? 0;
}

/** The open tape, pinned tapes and running ones stay visible, and so do their ancestors. */
function keptTapes(
  family: readonly FamilyMember[],
  tree: Tree,
  openId: string,
): ReadonlySet<string> {
  const kept = new Set<string>();
  for (const member of family) {
    // The branches of an experiment all run at once: the experiment's line shows it for them.
    const isRunning = member.is_active && member.branch === null;
    if (member.id !== openId && !member.is_pinned && !isRunning) continue;
    for (const one of pathTo(tree, member.id)) kept.add(one.id);
  }
  return kept;
}

function partition(children: readonly FamilyMember[], kept: ReadonlySet<string>) {
  const newest = children
    .filter((child) => !kept.has(child.id) && !child.is_archived)
    .toSorted(
      (one, other) =>
        // Failed branches fold before those that may still succeed.
        Number(one.outcome === "fail") - Number(other.outcome === "fail") ||
        other.created_at.localeCompare(one.created_at),
    )
    .slice(0, SHOWN_CHILDREN);
  const isShown = (child: FamilyMember) => kept.has(child.id) || newest.includes(child);
  return { shown: children.filter(isShown), folded: children.filter((child) => !isShown(child)) };
}

function pathTo(tree: Tree, id: string): FamilyMember[] {
  const path: FamilyMember[] = [];
  for (let member = tree.byId.get(id); member !== undefined && !path.includes(member);) {
    path.unshift(member);
    member = leftFrom(tree.byId, member);
  }
  return path;
}

function pathEnd(path: readonly FamilyMember[], member: FamilyMember): number | null {
  const at = path.indexOf(member);
  if (at < 0) return null;
  return path[at + 1]?.forked_at ?? member.step_count;
}

function forksOf(members: readonly FamilyMember[]): number[] {
  return members.map((member) => member.forked_at ?? 0);
}

function inOrder(members: readonly FamilyMember[]): FamilyMember[] {
  return byAge(members).toSorted((one, other) => (other.forked_at ?? 0) - (one.forked_at ?? 0));
}

function byAge(members: readonly FamilyMember[]): FamilyMember[] {
  return members.toSorted((one, other) => one.created_at.localeCompare(other.created_at));
}

function sizeOf(tree: Tree, member: FamilyMember): number {
  return 1 + sum(tree.childrenOf(member.id).map((child) => sizeOf(tree, child)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
