import { Link } from "react-router";

import type { Origin } from "@/api/training";
import { shortId } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

/** Leads to the step of the tape that an example was made of. */
export function OriginLink({ origin }: { origin: Origin }) {
  const tape = encodeURIComponent(origin.tape);
  return (
    <Link to={`/t/${tape}?step=${origin.step}`}>
      Tape {visibleText(shortId(origin.tape))}, step {origin.step}
    </Link>
  );
}
