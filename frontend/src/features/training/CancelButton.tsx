import { Button } from "@mantine/core";
import { IconPlayerStop } from "@tabler/icons-react";

import type { useCancelJob } from "@/api/useCancelJob";

/** Stops a job; shows that it is stopping until it has stopped. */
export function CancelButton({ cancel }: { cancel: ReturnType<typeof useCancelJob> }) {
  return (
    <Button
      variant="default"
      leftSection={<IconPlayerStop size={14} />}
      loading={cancel.isPending}
      disabled={cancel.isSuccess}
      onClick={() => cancel.mutate()}
    >
      {cancel.isSuccess ? "Stopping" : "Cancel"}
    </Button>
  );
}
