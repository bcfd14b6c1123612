/** The tape's main facts, with its title to edit; the raw recorded data is folded. */
import { Anchor, Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "react-router";

import { familyQuery } from "@/api/families";
import type { Tape } from "@/api/types";
import { useTapeModel } from "@/features/tape-editor/editor";
import { TapeForm } from "@/features/tape-editor/form";
import { costText } from "@/features/tape-editor/header/TapeTotals";
import { sumTape } from "@/features/tape-editor/header/totals";
import { countOf, formatMoment, formatSeconds, formatTokens } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { type Fact, FactList } from "@/ui/FactList";
import { ShortId } from "@/ui/ShortId";
import { TagChips } from "@/ui/TagChips";

interface TapeDetailsProps {
  isOpen: boolean;
  onClose: () => void;
}

export function TapeDetails({ isOpen, onClose }: TapeDetailsProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Details of the tape" size={640}>
      <Facts />
      <TapeForm onDone={onClose} />
    </Modal>
  );
}

function Facts() {
  const { tape } = useTapeModel();
  const family = useQuery(familyQuery(tape.id));
  const models = family.data?.items.find(({ id }) => id === tape.id)?.models ?? [];
  const taken = useTaken();
  const facts: Fact[] = [
    ...textFact("Task", tape.task),
    ...textFact("Expected", tape.expected),
    ...(tape.agent_name === "" ? [] : [["Agent", <AgentLink key="agent" tape={tape} />] as const]),
    ...textFact(models.length > 1 ? "Models" : "Model", models.join(", ")),
    ["Created", formatMoment(new Date(tape.created_at))],
    ...(tape.updated_at === tape.created_at
      ? []
      : [["Changed", formatMoment(new Date(tape.updated_at))] as const]),
    ["Totals", taken],
    ...(tape.tags.length === 0
      ? []
      : [["Tags", <TagChips key="tags" tags={tape.tags} />] as const]),
    ...textFact("Batch", tape.batch_name),
    ...textFact("Author", tape.author),
    ...(tape.parent_id === null
      ? []
      : [["Forked from", <Parent key="parent" tape={tape} parentId={tape.parent_id} />] as const]),
    ["ID", <ShortId key="id" id={tape.id} />],
    ...textFact("Id in the file", tape.source_id),
  ];
  return <FactList facts={facts} />;
}

function textFact(name: string, text: string): Fact[] {
  return text === "" ? [] : [[name, visibleText(text)]];
}

/** "60 steps, 20 calls, 41k tokens, $0.12, worked 12 s" */
function useTaken(): string {
  const { tape, outline, recordedCount } = useTapeModel();
  const sums = useMemo(() => sumTape(tape, outline, recordedCount), [tape, outline, recordedCount]);
  const steps = countOf(outline.length, "step");
  if (sums === undefined || sums.callCount === 0) return steps;
  return [
    steps,
    countOf(sums.callCount, "LLM call"),
    `${formatTokens(sums.inputTokens + sums.outputTokens)} tokens`,
    costText(sums),
    ...(sums.workedSeconds > 0 ? [`worked ${formatSeconds(sums.workedSeconds)}`] : []),
  ].join(", ");
}

function AgentLink({ tape }: { tape: Tape }) {
  const name = visibleText(tape.agent_name);
  return (
    <>
      {tape.agent_id === null ? (
        name
      ) : (
        <Anchor component={Link} to={`/agents/${tape.agent_id}`} size="sm">
          {name}
        </Anchor>
      )}
      {tape.agent_version !== null && ` v${tape.agent_version}`}
    </>
  );
}

function Parent({ tape, parentId }: { tape: Tape; parentId: string }) {
  return (
    <>
      <Anchor component={Link} to={`/t/${parentId}`} size="sm">
        {visibleText(tape.parent_title) || "its parent"}
      </Anchor>
      {tape.forked_at !== null && ` at step ${tape.forked_at}`}
      {tape.edit_words !== "" && `: ${visibleText(tape.edit_words)}`}
    </>
  );
}
