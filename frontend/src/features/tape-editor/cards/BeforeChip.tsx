/** What the parent has in the place of a step: one line, and a word diff on request. */
import { Anchor, Popover, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import type { ReplacedStep } from "@/api/types";
import { replacedStepQuery } from "@/features/tape-editor/cards/api";
import classes from "@/features/tape-editor/cards/draft.module.css";
import { type Replaced, useReplaced } from "@/features/tape-editor/cards/ReplacedProvider";
import { prettyJson } from "@/lib/valueShapes";
import { cutText, visibleText } from "@/lib/visibleText";
import { WordDiff } from "@/ui/WordDiff";

/** Renders nothing if the parent has the same step, or none. */
export function BeforeChip({ position }: { position: number | null }) {
  const replaced = useReplaced();
  const before = position === null ? undefined : replaced?.steps.get(position);
  if (replaced === null || before === undefined) return null;
  return <Chip replaced={replaced} before={before} />;
}

function Chip({ replaced, before }: { replaced: Replaced; before: ReplacedStep }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} width={440} position="bottom-start" withinPortal>
      <Popover.Target>
        <button
          type="button"
          className={`ts-panel ts-truncate ts-caption ${classes.chip}`}
          aria-expanded={isOpen}
          onClick={(event) => {
            event.stopPropagation();
            setOpen(!isOpen);
          }}
        >
          previously recorded: {visibleText(before.gist)}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        {isOpen && <Difference replaced={replaced} before={before} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function Difference({ replaced, before }: { replaced: Replaced; before: ReplacedStep }) {
  const found = useQuery(replacedStepQuery(replaced.tapeId, before.position));
  if (found.error !== null) {
    return (
      <p className="ts-hint" role="alert">
        {describeError(found.error)}
      </p>
    );
  }
  if (found.data === undefined) return <Skeleton height={48} aria-label="Loading the difference" />;
  return (
    <div className={`ts-stack ${classes.fields}`}>
      <p className="ts-hint">
        Step {before.before_position} of the{" "}
        <Anchor
          component={Link}
          to={`/t/${replaced.parentId}?step=${before.before_position}`}
          size="xs"
        >
          parent
        </Anchor>{" "}
        with this one
      </p>
      {found.data.fields.map((field) => (
        <section key={field.path}>
          <h4 className={`ts-mono ${classes.path}`}>{visibleText(field.path)}</h4>
          {field.words === null ? (
            <div className={`ts-words ${classes.sides}`}>
              <del>{shown(field.old)}</del>
              <ins>{shown(field.new)}</ins>
            </div>
          ) : (
            <WordDiff words={field.words} />
          )}
        </section>
      ))}
    </div>
  );
}

const LONGEST = 4000;

function shown(value: unknown): string {
  if (value === undefined || value === null) return "not set";
  return visibleText(cutText(typeof value === "string" ? value : prettyJson(value), LONGEST));
}
