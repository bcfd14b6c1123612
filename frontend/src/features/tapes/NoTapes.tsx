/** Shown in place of an empty list of tapes: why it is empty, and what to do next. */
import { Button } from "@mantine/core";
import { IconDeviceAudioTape, IconUpload } from "@tabler/icons-react";
import { Link } from "react-router";

import { ForWriters } from "@/api/ForWriters";
import { isFiltered, UNFILTERED, type TapeListState } from "@/features/tapes/useTapeFilter";
import { EmptyState } from "@/ui/States";

interface NoTapesProps {
  state: TapeListState;
  onChange: (part: Partial<TapeListState>) => void;
}

export function NoTapes({ state, onChange }: NoTapesProps) {
  if (state.shown !== "all" && !isFiltered({ ...state, shown: "all" })) {
    return (
      <EmptyState
        title={state.shown === "pinned" ? "No pinned tapes" : "No archived tapes"}
        icon={<IconDeviceAudioTape size={24} stroke={1.5} />}
        action={
          <Button variant="default" onClick={() => onChange(UNFILTERED)}>
            Show all tapes
          </Button>
        }
      >
        {state.shown === "pinned"
          ? "Pin a tape from its header or row to see it here."
          : "Tapes you archive appear here, where you can restore them."}
      </EmptyState>
    );
  }
  if (isFiltered(state)) {
    return (
      <EmptyState
        title="No tapes match these filters"
        icon={<IconDeviceAudioTape size={24} stroke={1.5} />}
        action={
          <Button variant="default" onClick={() => onChange(UNFILTERED)}>
            Clear the filters
          </Button>
        }
      >
        Search covers titles, tasks, answers and the text of steps.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No tapes yet"
      icon={<IconDeviceAudioTape size={24} stroke={1.5} />}
      action={
        <ForWriters>
          <Button component={Link} to="/upload" leftSection={<IconUpload size={14} />}>
            Upload tapes
          </Button>
          <Button component={Link} to="/agents" variant="default">
            Start one with an agent
          </Button>
        </ForWriters>
      }
    >
      A tape is a recorded agent session: the agent's thoughts, actions and observations.
    </EmptyState>
  );
}
