/** One drawn line of the branch map: verticals of forks, its own steps in colors, edits, errors. */
import { memo } from "react";

import type { Stretch } from "@/features/tape-editor/map/branchColours";
import type { MapLine } from "@/features/tape-editor/map/branches";
import classes from "@/features/tape-editor/map/branchMap.module.css";

const HEIGHT = 24;
const MIDDLE = HEIGHT / 2;
const HALF_BAND = 3;

interface BranchTrackProps {
  line: MapLine;
  /** Steps of the longest tape: the width of the map. */
  longest: number;
  stretches: readonly Stretch[];
  pausedAt?: number | null;
}

export const BranchTrack = memo(function BranchTrack({
  line,
  longest,
  stretches,
  pausedAt = null,
}: BranchTrackProps) {
  return (
    <svg
      className={classes.track}
      viewBox={`0 0 ${longest} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={classes.rail} d={railsOf(line)} />
      {byColour(stretches).map(([colour, d]) => (
        <path key={colour} d={d} style={{ fill: colour }} />
      ))}
      {line.type === "branch" && (
        <>
          {line.pathEnd !== null && (
            <path
              className={classes.path}
              d={`M${line.start} ${MIDDLE + 6}H${Math.max(line.pathEnd, line.start)}`}
            />
          )}
          <path className={classes.errorTick} d={ticks(line.member.errors, 3, MIDDLE - 3)} />
          <path className={classes.editTick} d={ticks(line.member.edits, 4, HEIGHT - 4)} />
          {pausedAt !== null && (
            <path className={classes.pausedTick} d={ticks([pausedAt], 2, HEIGHT - 2)} />
          )}
        </>
      )}
    </svg>
  );
});

function railsOf(line: MapLine): string {
  const through = line.rails.map((at) => `M${at} 0V${HEIGHT}`);
  const arrival = line.depth > 0 ? [`M${line.start} 0V${MIDDLE}`] : [];
  const leaving =
    line.type === "branch" ? line.forks.map((at) => `M${at} ${MIDDLE}V${HEIGHT}`) : [];
  return [...through, ...arrival, ...leaving].join("");
}

/** One path per color: hundreds of stretches become a handful of elements. */
function byColour(stretches: readonly Stretch[]): [string, string][] {
  const paths = new Map<string, string>();
  for (const { from, to, colour } of stretches) {
    const box = `M${from} ${MIDDLE - HALF_BAND}H${to}V${MIDDLE + HALF_BAND}H${from}Z`;
    paths.set(colour, (paths.get(colour) ?? "") + box);
  }
  return [...paths];
}

function ticks(positions: readonly number[], top: number, bottom: number): string {
  return positions.map((at) => `M${at + 0.5} ${top}V${bottom}`).join("");
}
