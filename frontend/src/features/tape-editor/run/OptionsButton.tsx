import { Button, Popover } from "@mantine/core";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { useState } from "react";

import { OptionsPanel } from "@/features/tape-editor/run/OptionsPanel";
import { countChanges } from "@/features/tape-editor/choice";
import classes from "@/features/tape-editor/run/run.module.css";
import type { RunSetup } from "@/features/tape-editor/run/useRunSetup";
import { hasOpenPopup } from "@/lib/keys";

/** In pixels: keeps the narrow rail visible. */
const BESIDE_THE_RAIL = { left: 56, right: 8 };

/** Opens the other options; shows how many differ from the default. */
export function OptionsButton({ setup }: { setup: RunSetup }) {
  const [opened, setOpened] = useState(false);
  const count = countChanges(setup.choice);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="top"
      width="min(760px, calc(100vw - 72px))"
      middlewares={{ shift: { padding: BESIDE_THE_RAIL } }}
      // An open list inside it closes first.
      closeOnEscape={false}
      trapFocus
      returnFocus
      withArrow
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={14} />}
          rightSection={count > 0 ? <span className={classes.chip}>{count}</span> : null}
          aria-label={count > 0 ? `Options, ${count} changed` : "Options"}
          onClick={() => setOpened(!opened)}
        >
          Options
        </Button>
      </Popover.Target>
      <Popover.Dropdown
        className={classes.panel}
        aria-label="Run options"
        onKeyDown={({ key, currentTarget }) => {
          if (key === "Escape" && !hasOpenPopup(currentTarget)) setOpened(false);
        }}
      >
        <OptionsPanel setup={setup} onClose={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}
