/** What a step is connected with: the call that it answers, and the later prompts containing it. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { describeError } from "@/api/client";
import type { StepLinks as Links } from "@/api/types";
import { type StepRow, useTapeModel } from "@/features/tape-editor/editor";
import { linksQuery } from "@/features/tape-editor/inspector/api";
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { MadeSteps } from "@/features/tape-editor/inspector/MadeSteps";
import { countOf, formatSeconds } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { ErrorState, RowsSkeleton } from "@/ui/States";

export function StepLinks({ row }: { row: StepRow }) {
  const { tape } = useTapeModel();
  const { origin } = row.slot;
  const links = useQuery({ ...linksQuery(tape.id, origin ?? 0), enabled: origin !== null });
  if (origin === null) return null;
  if (links.isPending) return <RowsSkeleton rows={3} label="Loading the related steps" />;
  if (links.isError) {
    return (
      <ErrorState
        title="The related steps could not be loaded"
        message={describeError(links.error)}
        onRetry={() => void links.refetch()}
      />
    );
  }
  return (
    <>
      {links.data.cause !== null && <CauseOf cause={links.data.cause} />}
      <Readers key={origin} links={links.data} />
    </>
  );
}

function CauseOf({ cause }: { cause: NonNullable<Links["cause"]> }) {
  const { position, told_by: foundBy, tool, seconds } = cause;
  const what = tool === "" ? "the action" : `the call of ${visibleText(tool)}`;
  const took =
    seconds === null ? "; how long it took is not recorded" : `, after ${formatSeconds(seconds)}`;
  return (
    <section className={classes.links} aria-label="Caused by">
      <h2 className={classes.heading}>Caused by</h2>
      <p className="ts-hint">
        {foundBy === "id" ? `Answers ${what}` : `Follows ${what}; no id says which call it answers`}
        {took}.
      </p>
      <MadeSteps positions={[position]} />
    </section>
  );
}

const SHOWN = 8;

/** The steps made by the calls whose prompts contain this one. */
function Readers({ links }: { links: Links }) {
  const [isWhole, setWhole] = useState(false);
  const { prompts } = links;
  return (
    <section className={classes.links} aria-label="In later prompts">
      <h2 className={classes.heading}>In later prompts</h2>
      <p className="ts-hint">{sentenceOf(links)}</p>
      {prompts.length > 0 && <MadeSteps positions={isWhole ? prompts : prompts.slice(0, SHOWN)} />}
      {prompts.length > SHOWN && !isWhole && (
        <Button variant="subtle" size="compact-xs" onClick={() => setWhole(true)}>
          Show all {prompts.length}
        </Button>
      )}
    </section>
  );
}

function sentenceOf({ prompts, later_prompt_count: count, is_cut: isCut }: Links): string {
  if (count === 0) return "No later LLM call is recorded.";
  const all = isCut ? `the next ${countOf(count, "prompt")}` : countOf(count, "later prompt");
  if (prompts.length === 0) return `Its text appears in none of ${all}.`;
  return `Its text appears in ${prompts.length} of ${all}, which made:`;
}
