/** The tour: a card next to the element it describes, which stays usable meanwhile. */
import { Anchor, Button, CloseButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { Link, useLocation, useNavigate } from "react-router";

import { recentTapesQuery } from "@/api/tapes";
import classes from "@/app/tour/Tour.module.css";
import { TOUR_STOPS, type TourStop } from "@/app/tour/tourStops";
import { useAnchor } from "@/app/tour/useAnchor";
import { endTour, leaveTour, showStop } from "@/lib/tour";
import { KeyHint } from "@/ui/KeyHint";

export function TourCard({ at }: { at: number }) {
  const stop = TOUR_STOPS[at];
  return stop === undefined ? null : <OpenTour stop={stop} at={at} />;
}

function OpenTour({ stop, at }: { stop: TourStop; at: number }) {
  useNavigationTo(stop);
  useFocusBack();
  useEscape();
  const { ring, card, place } = useAnchor(stop.anchor);
  return (
    <>
      {ring !== null && <div className={classes.ring} style={ring} aria-hidden="true" />}
      <section
        ref={place}
        className={classes.card}
        style={card}
        role="dialog"
        aria-labelledby="tour-stop"
        aria-describedby="tour-text"
      >
        <header className={classes.head}>
          <h2 id="tour-stop" className={classes.title}>
            {stop.title}
          </h2>
          <CloseButton size="sm" aria-label="Leave the tour" onClick={leaveTour} />
        </header>
        <p id="tour-text" className={classes.text}>
          {stop.text}
        </p>
        {stop.keys !== undefined && (
          <p className={classes.keys}>
            {stop.keys.map((keys) => (
              <KeyHint key={keys} keys={keys} />
            ))}
          </p>
        )}
        <Foot at={at} />
      </section>
    </>
  );
}

function Foot({ at }: { at: number }) {
  const next = useRef<HTMLButtonElement>(null);
  const isLast = at === TOUR_STOPS.length - 1;
  useEffect(() => next.current?.focus({ preventScroll: true }), [at]);
  return (
    <footer className={`ts-row ${classes.foot}`}>
      <span className={`ts-hint ${classes.count}`}>
        {at + 1} of {TOUR_STOPS.length}
      </span>
      {isLast && (
        <Anchor component={Link} to="/models?add=1" size="sm" onClick={endTour}>
          Add a model
        </Anchor>
      )}
      {at > 0 && (
        <Button variant="default" onClick={() => showStop(at - 1)}>
          Back
        </Button>
      )}
      <Button ref={next} onClick={() => (isLast ? endTour() : showStop(at + 1))}>
        {isLast ? "Done" : "Next"}
      </Button>
    </footer>
  );
}

/** Go to the stop's screen: the list, or a sample tape if no tape is open. */
function useNavigationTo({ place }: TourStop): void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const isThere = place === "list" ? pathname === "/tapes" : /^\/t\/[^/]+$/.test(pathname);
  const tapes = useQuery({ ...recentTapesQuery(""), enabled: place === "tape" && !isThere });
  const sample = tapes.data?.find((row) => row.error_count > 0) ?? tapes.data?.[0];
  const target = place === "list" ? "/tapes" : sample === undefined ? "" : `/t/${sample.id}?step=1`;
  const wanted = useRef("");
  useEffect(() => {
    // Once for each stop: a person who wanders off is not pulled back.
    if (isThere || target === "" || wanted.current === place) return;
    wanted.current = place;
    void navigate(target);
  }, [isThere, target, place, navigate]);
}

function useFocusBack(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      const back = before instanceof HTMLElement && before.isConnected ? before : null;
      (back ?? document.getElementById("main"))?.focus({ preventScroll: true });
    };
  }, []);
}

function useEscape(): void {
  const onKeyDown = useCallback((event: KeyboardEvent) => {
    if (event.key !== "Escape" || document.querySelector("[aria-modal='true']") !== null) return;
    event.preventDefault();
    event.stopPropagation();
    leaveTour();
  }, []);
  useEffect(() => {
    // Before the screen's own Escape handler: the tour closes first.
    document.addEventListener("keydown", onKeyDown, { capture: true });
    return () => document.removeEventListener("keydown", onKeyDown, { capture: true });
  }, [onKeyDown]);
}
