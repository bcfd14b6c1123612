import { Link } from "react-router";

import { shortId } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

interface OriginLinkProps {
  /** Where an example comes from; old sets and foreign ones may not say. */
  origin: { tape: string | null; step: number | null };
}

/** Leads to the step of the tape that an example was made of. */
export function OriginLink({ origin: { tape, step } }: OriginLinkProps) {
  if (tape === null || step === null) return <>–</>;
  return (
    <Link to={`/t/${encodeURIComponent(tape)}?step=${step}`}>
      Tape {visibleText(shortId(tape))}, step {step}
    </Link>
  );
}
