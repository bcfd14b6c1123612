import { Button, Popover } from "@mantine/core";
import { IconHandStop } from "@tabler/icons-react";
import { useState } from "react";

import { describeError } from "@/api/client";
import type { Job } from "@/api/types";
import { useEditor } from "@/features/tape-editor/editor";
import { BreakpointList } from "@/features/tape-editor/run/BreakpointList";
import classes from "@/features/tape-editor/run/run.module.css";
import { useToolLines } from "@/features/tape-editor/run/toolLines";
import { useBreakpoints } from "@/features/tape-editor/run/useBreakpoints";
import { useChosenAgent } from "@/features/tape-editor/run/useRunSetup";

/** The breakpoints of the current run, which can be changed during it. */
export function LiveBreakpoints({ job }: { job: Job }) {
  const [opened, setOpened] = useState(false);
  const { breakpoints } = job.control;
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="top-end"
      width="min(520px, calc(100vw - 32px))"
      trapFocus
      returnFocus
      withArrow
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconHandStop size={14} />}
          rightSection={
            breakpoints.length > 0 ? (
              <span className={classes.chip}>{breakpoints.length}</span>
            ) : null
          }
          aria-label={`Breakpoints, ${breakpoints.length} set`}
          onClick={() => setOpened(!opened)}
        >
          Breakpoints
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Breakpoints of this run" className="ts-stack">
        {opened && <Editor />}
      </Popover.Dropdown>
    </Popover>
  );
}

function Editor() {
  const { spec, tools } = useChosenAgent();
  const choice = useEditor((editor) => editor.choice);
  const lines = useToolLines({ tools, fit: null, choice });
  const { breakpoints, replace, error } = useBreakpoints();
  return (
    <>
      <BreakpointList
        breakpoints={breakpoints}
        onChange={replace}
        spec={spec}
        tools={lines.map(({ name }) => name)}
      />
      {error !== null && (
        <p className="ts-bad" role="alert">
          {describeError(error)}
        </p>
      )}
    </>
  );
}
