import { Anchor, Button, CloseButton } from "@mantine/core";
import { IconRoute } from "@tabler/icons-react";
import { Link } from "react-router";

import { ForWriters } from "@/api/ForWriters";
import { SampleButton } from "@/api/SampleButton";
import classes from "@/features/tapes/Tapes.module.css";
import { endTour, startTour, useTour } from "@/lib/tour";

/** On the first visit: what can be tried immediately, without a key and without a network. */
export function TourCard({ hasTapes }: { hasTapes: boolean }) {
  const isOver = useTour((tour) => tour.isOver);
  const isOpen = useTour((tour) => tour.place !== null);
  if (isOver || isOpen || !hasTapes) return null;
  return (
    <section className={`ts-row ${classes.tour}`} aria-labelledby="tour-title">
      <div className={classes.tourText}>
        <h2 id="tour-title" className={classes.tourTitle}>
          New here? The sample tapes work without a key and without a network
        </h2>
        <p className={classes.tourLine}>
          Read one, change a step, let the agent continue from there, and compare.
          <ForWriters>
            {" "}
            Later{" "}
            <Anchor component={Link} to="/models?add=1" size="sm" underline="always">
              add a model
            </Anchor>{" "}
            or{" "}
            <Anchor component={Link} to="/upload" size="sm" underline="always">
              upload your own tapes
            </Anchor>
            .
          </ForWriters>
        </p>
      </div>
      <SampleButton />
      <Button leftSection={<IconRoute size={14} />} onClick={startTour}>
        Take the tour
      </Button>
      <CloseButton aria-label="Dismiss" size="sm" onClick={endTour} />
    </section>
  );
}
