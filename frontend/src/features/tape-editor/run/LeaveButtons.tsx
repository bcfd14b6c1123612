import { Button } from "@mantine/core";
import { IconCheck, IconX } from "@tabler/icons-react";

import type { ReplyIn } from "@/api/types";
import classes from "@/features/tape-editor/run/run.module.css";

interface LeaveButtonsProps {
  isPending: boolean;
  onSend: (body: ReplyIn) => void;
}

/** A tool call needs approval: run it live once, or deny it. */
export function LeaveButtons({ isPending, onSend }: LeaveButtonsProps) {
  return (
    <div className={classes.leave} role="group" aria-label="Approve the tool call">
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
    </div>
  );
}
