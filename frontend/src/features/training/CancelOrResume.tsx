/** The two buttons of a long training job: stop it while it goes on, continue it afterwards. */
import { Button } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";

import { describeError } from "@/api/client";
import { isFinished } from "@/api/jobs";
import type { useJobChange } from "@/api/jobRows";
import type { Job } from "@/api/types";
import { useCancelJob } from "@/api/useCancelJob";
import { CancelButton } from "@/features/training/CancelButton";

interface CancelOrResumeProps {
  jobId: string;
  state: Job["state"];
  resume: ReturnType<typeof useJobChange<undefined>>;
  /** What the button says that continues it. */
  words: string;
}

export function CancelOrResume({ jobId, state, resume, words }: CancelOrResumeProps) {
  const cancel = useCancelJob(jobId);
  const refusal = cancel.error ?? resume.error;
  return (
    <>
      {refusal !== null && <span role="alert">{describeError(refusal)}</span>}
      {!isFinished(state) && <CancelButton cancel={cancel} />}
      {(state === "failed" || state === "cancelled") && (
        <Button
          leftSection={<IconPlayerPlay size={14} />}
          loading={resume.isPending}
          onClick={() => resume.mutate(undefined, { onSuccess: () => cancel.reset() })}
        >
          {words}
        </Button>
      )}
    </>
  );
}
