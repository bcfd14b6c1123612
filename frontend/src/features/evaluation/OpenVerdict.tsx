/** Opens a judge's verdict on a run as a tape; a comparison opens as both orders beside each other. */
import { Button } from "@mantine/core";
import { useNavigate } from "react-router";

import { describeError } from "@/api/client";
import { useCanWrite } from "@/api/session";
import { useOpenVerdict } from "@/api/sweeps";

interface OpenVerdictProps {
  jobId: string;
  scoringId: string;
  tapeId: string;
  /** Of the run, as `A1`. */
  name: string;
}

export function OpenVerdict({ jobId, scoringId, tapeId, name }: OpenVerdictProps) {
  const open = useOpenVerdict(jobId, scoringId);
  const navigate = useNavigate();
  // Whoever may only read cannot make the tape.
  if (!useCanWrite()) return null;
  return (
    <>
      <Button
        variant="subtle"
        size="compact-xs"
        aria-label={`Open the verdict on ${name}`}
        loading={open.isPending}
        onClick={() =>
          open.mutate(tapeId, {
            onSuccess: ({ tape_ids: [first, second] }) => {
              if (first === undefined) return;
              void navigate(second === undefined ? `/t/${first}` : `/t/${first}/diff/${second}`);
            },
          })
        }
      >
        Open the verdict
      </Button>
      {open.error !== null && <span role="alert"> {describeError(open.error)}</span>}
    </>
  );
}
