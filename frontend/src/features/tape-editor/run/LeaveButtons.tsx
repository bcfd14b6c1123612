import { Button } from "@mantine/core";
import { IconCheck, IconTool, IconX } from "@tabler/icons-react";

import type { ReplyIn } from "@/api/types";
import classes from "@/features/tape-editor/run/run.module.css";

interface LeaveButtonsProps {
  /** It may be run live, once, or denied. */
  canApprove: boolean;
  isPending: boolean;
  onSend: (body: ReplyIn) => void;
}

/** What may become of a tool call that waits: run it live once, deny it, or emulate the tool. */
export function LeaveButtons({ canApprove, isPending, onSend }: LeaveButtonsProps) {
  return (
    <div className={classes.leave} role="group" aria-label="Decide the tool call">
      {canApprove && (
        <>
          <Button
            leftSection={<IconCheck size={14} />}
            disabled={isPending}
            title="Run the tool live this once"
            onClick={() => onSend({ approve: true })}
          >
            Approve
          </Button>
          <Button
            variant="default"
            leftSection={<IconX size={14} />}
            disabled={isPending}
            title="Tell the agent that a person denied it"
            onClick={() => onSend({ approve: false })}
          >
            Deny
          </Button>
        </>
      )}
      <Button
        variant="default"
        leftSection={<IconTool size={14} />}
        disabled={isPending}
        title="In this run, let a model or a script answer as the tool would"
        onClick={() => onSend({ emulate: true })}
      >
        Emulate it
      </Button>
    </div>
  );
}
