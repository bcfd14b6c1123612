/** The tour: its card loads when it is first shown. */
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";

import { sessionQuery } from "@/api/session";
import { openTour, useTour } from "@/lib/tour";

const TourCard = lazy(async () => ({ default: (await import("@/app/tour/TourCard")).TourCard }));

export function Tour() {
  const { data: session } = useQuery(sessionQuery());
  const place = useTour((tour) => tour.place);
  useEffect(() => {
    if (session !== undefined) openTour(session.user);
  }, [session]);
  if (place === null) return null;
  return (
    <Suspense fallback={null}>
      <TourCard place={place} />
    </Suspense>
  );
}
