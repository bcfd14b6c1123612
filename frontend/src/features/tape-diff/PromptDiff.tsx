/** How the prompts behind the two steps of a change differ; compared on request. */
import { Skeleton } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { client, describeError, unwrap } from "@/api/client";
import { tapeKeys } from "@/api/tapes";
import classes from "@/features/tape-diff/diff.module.css";
import { FieldList } from "@/ui/fields/FieldList";
import { MoreButton } from "@/ui/MoreButton";

interface Asked {
  tapeId: string;
  callId: string;
}

interface PromptDiffProps {
  left: Asked;
  right: Asked;
  isUnified: boolean;
}

export function PromptDiff(props: PromptDiffProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <MoreButton isOpen={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "Hide the prompts" : "Compare the prompts"}
      </MoreButton>
      {isOpen && <Compared {...props} />}
    </>
  );
}

function Compared({ left, right, isUnified }: PromptDiffProps) {
  const { data, error, isPending, refetch } = useQuery(promptDiffQuery(left, right));
  if (isPending) return <Skeleton height={48} mt={4} aria-label="Comparing the prompts" />;
  if (data === undefined) {
    return (
      <p className={classes.dim} role="alert">
        {describeError(error)} <MoreButton onClick={() => void refetch()}>Try again</MoreButton>
      </p>
    );
  }
  return (
    <section className={classes.prompts} aria-label="Prompts compared">
      {data.fields.length === 0 ? (
        <p className={classes.dim}>Both prompts are the same.</p>
      ) : (
        <FieldList fields={data.fields} isUnified={isUnified} />
      )}
    </section>
  );
}

function promptDiffQuery(left: Asked, right: Asked) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(left.tapeId), "call", left.callId, "diff", right.callId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/calls/{call_id}/diff", {
          params: {
            path: { tape_id: left.tapeId, call_id: left.callId },
            query: { other_tape: right.tapeId, other_call: right.callId },
          },
          signal,
        }),
      ),
    // A recorded call never changes.
    staleTime: Infinity,
  });
}
