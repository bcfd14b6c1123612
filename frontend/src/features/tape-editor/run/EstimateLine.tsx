import { Popover, UnstyledButton } from "@mantine/core";

import type { Estimate } from "@/api/types";
import { estimateLines, estimateText } from "@/features/tape-editor/run/estimateText";
import classes from "@/features/tape-editor/run/run.module.css";

/** What the run will probably take; a click shows the ranges and what they are based on. */
export function EstimateLine({ estimate }: { estimate: Estimate | null }) {
  if (estimate === null) return <span className={classes.estimate} />;
  const words = estimateText(estimate);
  return (
    <span className={classes.estimate}>
      <Popover position="top-end" width={280} withArrow>
        <Popover.Target>
          <UnstyledButton
            className={`ts-truncate ts-hint ${classes.estimateButton}`}
            aria-label={words === "" ? "No estimate" : `Estimate: ${words}`}
          >
            {words === "" ? "No estimate" : words}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown aria-label="Estimate">
          <ul>
            {estimateLines(estimate).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <p className={`ts-hint ${classes.hint}`}>{estimate.basis}</p>
        </Popover.Dropdown>
      </Popover>
    </span>
  );
}
