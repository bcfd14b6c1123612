/** Opens a judge's verdict on a run as a tape; a comparison opens as a diff of both orders.
 *
 * With several constraints, each has a tape, which is then offered under the constraint's name.
 */
import { Anchor, Button } from "@mantine/core";
import { Link, useNavigate } from "react-router";

import { describeError } from "@/api/client";
import { useCanWrite } from "@/api/session";
import { useOpenVerdict } from "@/api/sweeps";
import { visibleText } from "@/lib/visibleText";

interface OpenVerdictProps {
  jobId: string;
  scoringId: string;
  tapeId: string;
  /** The name of the run, such as `A1`. */
  name: string;
}

export function OpenVerdict({ jobId, scoringId, tapeId, name }: OpenVerdictProps) {
  const open = useOpenVerdict(jobId, scoringId);
  const navigate = useNavigate();
  // People who can only view the project cannot create the tape.
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
            onSuccess: ({ tape_ids: [first, second], constraints }) => {
              if (first === undefined || constraints.length > 1) return;
              void navigate(second === undefined ? `/t/${first}` : `/t/${first}/diff/${second}`);
            },
          })
        }
      >
        Open the verdict
      </Button>
      {(open.data?.constraints.length ?? 0) > 1 &&
        open.data?.tape_ids.map((id, at) => (
          <Anchor key={id} component={Link} to={`/t/${id}`} size="xs" mr={8}>
            {visibleText(open.data.constraints[at] ?? "")}
          </Anchor>
        ))}
      {open.error !== null && <span role="alert"> {describeError(open.error)}</span>}
    </>
  );
}
