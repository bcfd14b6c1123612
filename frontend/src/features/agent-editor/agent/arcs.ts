/** Where the arrows beside a list of nodes run, so that none covers another. Pure. */

export interface Route {
  /** Rows of the list. */
  from: number;
  to: number;
  label: string;
}

export interface Arc extends Route {
  /** How far from the nodes the arrow runs; 0 for one to the row below. */
  lane: number;
}

export function layOutArcs(routes: readonly Route[]): Arc[] {
  // Short ones are the closest to the nodes.
  const byLength = routes.toSorted((one, other) => lengthOf(one) - lengthOf(other));
  const lanes: Route[][] = [];
  return byLength.map((route) => {
    if (route.to === route.from + 1) return { ...route, lane: 0 };
    const free = lanes.findIndex((taken) => !taken.some((other) => overlaps(route, other)));
    const lane = free === -1 ? lanes.length : free;
    (lanes[lane] ??= []).push(route);
    return { ...route, lane: lane + 1 };
  });
}

const lengthOf = ({ from, to }: Route) => Math.abs(from - to);

function overlaps(one: Route, other: Route): boolean {
  return (
    Math.min(one.from, one.to) <= Math.max(other.from, other.to) &&
    Math.min(other.from, other.to) <= Math.max(one.from, one.to)
  );
}
