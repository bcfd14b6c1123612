import { Link } from "react-router";

import { shortId } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

interface OriginLinkProps {
  /** Where an example comes from; unknown for old sets and sets from elsewhere. */
  origin: { tape: string | null; step: number | null };
}

/** Links to the tape's step that an example was made from. */
export function OriginLink({ origin: { tape, step } }: OriginLinkProps) {
  if (tape === null || step === null) return <>–</>;
  return (
    <Link to={`/t/${encodeURIComponent(tape)}?step=${step}`}>
      Tape {visibleText(shortId(tape))}, step {step}
    </Link>
  );
}
