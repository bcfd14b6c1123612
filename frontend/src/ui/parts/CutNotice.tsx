/** A notice that a step is too large for a page, with ways to get all of it. */
import { Anchor } from "@mantine/core";

import { formatBytes } from "@/lib/format";
import { cutText, visibleText } from "@/lib/visibleText";
import { MoreButton } from "@/ui/MoreButton";
import classes from "@/ui/parts/parts.module.css";

export interface CutNoticeProps {
  cut: { size: number; places: readonly string[] };
  /** The address to download the full step from. */
  address: string;
  isLoading: boolean;
  /** Why it could not be loaded; empty without a failure. */
  problem: string;
  /** Omitted if the step is too large to be drawn. */
  onShowAll?: () => void;
}

const LONGEST_PLACE = 60;
const MOST_PLACES = 3;

export function CutNotice({ cut, address, isLoading, problem, onShowAll }: CutNoticeProps) {
  const places = cut.places
    .slice(0, MOST_PLACES)
    .map((place) => cutText(place.slice(1), LONGEST_PLACE) || "the step");
  const more = cut.places.length > MOST_PLACES ? " and more" : "";
  return (
    <div className={classes.cut} role="note">
      <span>
        This step has {formatBytes(cut.size)}; only the beginning of{" "}
        {visibleText(places.join(", "))}
        {more} is shown.
      </span>
      {onShowAll !== undefined && (
        <MoreButton onClick={onShowAll}>
          {isLoading ? "Loading…" : "Show the whole step"}
        </MoreButton>
      )}
      <Anchor href={address} download="step.json" size="xs">
        Download
      </Anchor>
      {problem !== "" && <span role="alert">{problem}</span>}
    </div>
  );
}
