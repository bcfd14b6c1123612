/** The tour: a card beside the element it is about, which waits until the reader has done it. */
import { Anchor, Button, CloseButton } from "@mantine/core";
import { useCallback, useEffect, useRef, type RefObject } from "react";
import { Link, useNavigate } from "react-router";

import { useSample } from "@/api/projects";
import classes from "@/app/tour/Tour.module.css";
import {
  describeCount,
  isAt,
  LAST_STOP,
  settle,
  TOUR_STOPS,
  type Seen,
  type TourStop,
} from "@/app/tour/tourStops";
import { useAnchor } from "@/app/tour/useAnchor";
import { useCountedActions } from "@/app/tour/useCountedActions";
import { useSeen } from "@/app/tour/useSeen";
import { countOf } from "@/lib/format";
import { endTour, leaveTour, showStop, useTour, type TourPlace } from "@/lib/tour";
import { KeyHint } from "@/ui/KeyHint";

export function TourCard({ place }: { place: TourPlace }) {
  const seen = useSeen();
  const at = settle(place, seen);
  useEffect(() => {
    // What was reached in the sample is not forgotten in another project.
    if (at !== place && seen.isSample) showStop(at);
  }, [at, place, seen.isSample]);
  const stop = TOUR_STOPS[at.stop];
  return stop === undefined ? null : <OpenTour stop={stop} at={at} seen={seen} />;
}

interface StopProps {
  stop: TourStop;
  at: TourPlace;
  seen: Seen;
}

function OpenTour({ stop, at, seen }: StopProps) {
  const { ring, card, place } = useAnchor(stop.anchors);
  const isCounting = at.stop > 0 && at.stop < LAST_STOP;
  const actionCount = useTour((tour) => tour.actionCount);
  useCountedActions(place, isCounting);
  useLeading(stop, seen);
  useFocusBack(place);
  useEscape(place);
  return (
    <>
      {ring !== null && <div className={classes.ring} style={ring} aria-hidden="true" />}
      <section
        ref={place}
        className={classes.card}
        style={card}
        role="dialog"
        tabIndex={-1}
        aria-labelledby="tour-stop"
        aria-describedby="tour-text"
      >
        <header className={classes.head}>
          <h2 id="tour-stop" className={classes.title}>
            {stop.title}
          </h2>
          <CloseButton size="sm" aria-label="Leave the tour" onClick={leaveTour} />
        </header>
        {/* The focus stays where the reader works: what comes next is announced. */}
        <div id="tour-text" aria-live="polite">
          {at.stop === LAST_STOP && (
            <p className={classes.text}>
              <strong>{describeCount(actionCount)}</strong>
            </p>
          )}
          <p className={classes.text}>{stop.text(seen)}</p>
        </div>
        <Hints stop={stop} seen={seen} />
        <footer className={`ts-row ${classes.foot}`}>
          <span className={`ts-hint ${classes.count}`}>
            {at.stop + 1} of {TOUR_STOPS.length}
            {isCounting && `, ${countOf(actionCount, "action")}`}
          </span>
          <Buttons at={at} seen={seen} />
        </footer>
      </section>
    </>
  );
}

/** The keys that do it, and the way to where it is done. */
function Hints({ stop, seen }: Omit<StopProps, "at">) {
  const address = stop.address(seen);
  const isElsewhere = address !== null && !isAt(address, seen);
  if (stop.keys === undefined) return null;
  return (
    <p className={classes.keys}>
      {isElsewhere ? (
        <Anchor component={Link} to={address} size="sm">
          Go there
        </Anchor>
      ) : (
        stop.keys.map((keys) => <KeyHint key={keys} keys={keys} />)
      )}
    </p>
  );
}

function Buttons({ at, seen }: Omit<StopProps, "stop">) {
  const { open, isPending } = useSample();
  const navigate = useNavigate();
  const go = (to: TourPlace) => {
    showStop(to);
    const address = TOUR_STOPS[to.stop]?.address(seen) ?? null;
    if (address !== null && !isAt(address, seen)) void navigate(address);
  };
  if (at.stop === 0) {
    return (
      <Button loading={isPending} onClick={open}>
        Open the sample project
      </Button>
    );
  }
  const isLast = at.stop === LAST_STOP;
  return (
    <>
      {isLast && (
        <Anchor component={Link} to="/models?add=1" size="sm" onClick={endTour}>
          Add a model
        </Anchor>
      )}
      {at.stop > 1 && (
        <Button variant="default" onClick={() => go({ stop: at.stop - 1, isHeld: true })}>
          Back
        </Button>
      )}
      {isLast ? (
        <Button onClick={endTour}>Done</Button>
      ) : (
        <Button variant="default" onClick={() => go({ stop: at.stop + 1, isHeld: false })}>
          {at.isHeld ? "Next" : "Skip"}
        </Button>
      )}
    </>
  );
}

/** Go where the stop is, once: a reader who wanders off is not pulled back. */
function useLeading(stop: TourStop, seen: Seen): void {
  const navigate = useNavigate();
  const led = useRef<TourStop>(undefined);
  const address = stop.leads === true ? stop.address(seen) : null;
  const isThere = address === null || isAt(address, seen);
  useEffect(() => {
    if (address === null || led.current === stop) return;
    led.current = stop;
    if (!isThere) void navigate(address);
  }, [stop, address, isThere, navigate]);
}

/** The card has the focus when it opens, and gives it back; stops in between leave it alone. */
function useFocusBack(card: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    const { current } = card;
    current?.focus({ preventScroll: true });
    return () => {
      const { activeElement } = document;
      const isElsewhere = activeElement !== document.body && activeElement?.isConnected === true;
      if (isElsewhere && current?.contains(activeElement) === false) return;
      const back = before instanceof HTMLElement && before.isConnected ? before : null;
      (back ?? document.getElementById("main"))?.focus({ preventScroll: true });
    };
  }, [card]);
}

/** Escape leaves the tour from its card; on the page it belongs to what the reader does there. */
function useEscape(card: RefObject<HTMLElement | null>): void {
  const onKeyDown = useCallback(
    (event: KeyboardEvent) => {
      if (event.key !== "Escape" || card.current?.contains(document.activeElement) !== true) return;
      event.preventDefault();
      event.stopPropagation();
      leaveTour();
    },
    [card],
  );
  useEffect(() => {
    // Before the screen's own Escape handler: the tour closes first.
    document.addEventListener("keydown", onKeyDown, { capture: true });
    return () => document.removeEventListener("keydown", onKeyDown, { capture: true });
  }, [onKeyDown]);
}
