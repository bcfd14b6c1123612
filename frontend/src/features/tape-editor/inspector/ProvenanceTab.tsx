/** Where the step comes from: tape, run, agent version, node, LLM call; and who changed it. */
import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { callQuery, stepsQuery } from "@/api/tapes";
import type { OutlineRow, StepData } from "@/api/types";
import {
  type StepRow,
  type TapeModel,
  useEditor,
  useTapeModel,
} from "@/features/tape-editor/editor";
import { type Fact, FactList } from "@/ui/FactList";
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { NodeSource } from "@/features/tape-editor/inspector/NodeSource";
import { StepLinks } from "@/features/tape-editor/inspector/StepLinks";
import { isObject } from "@/lib/json";
import { visibleText } from "@/lib/visibleText";
import { RelativeTime } from "@/ui/Quantities";
import { ShortId } from "@/ui/ShortId";

const WRITERS: Record<OutlineRow["writer"], string> = {
  agent: "An agent",
  environment: "The environment",
  person: "A person",
  import: "Imported from a file",
};

export function ProvenanceTab({ row }: { row: StepRow }) {
  const model = useTapeModel();
  const step = useStep(model.tape.id, row);
  const calledAt = useCallTime(model.tape.id, row);
  return (
    <>
      {row.slot.written !== null && (
        <p className={classes.notice}>
          {row.slot.origin === null
            ? "Inserted in this draft; not on a tape yet."
            : `Edited in this draft. The recorded values of step ${row.slot.origin}.`}
        </p>
      )}
      <Chain row={row} model={model} />
      <FactList facts={stepFacts(row, step, calledAt, model)} />
      <StepLinks row={row} />
      <h2 className={classes.heading}>Tape</h2>
      <FactList facts={tapeFacts(model)} />
      {row.recorded !== null && row.recorded.node !== "" && (
        <NodeSource agent={row.recorded.agent} node={row.recorded.node} />
      )}
    </>
  );
}

/** The step from a page that is loaded already, or from the socket. */
function useStep(tapeId: string, { slot }: StepRow): StepData | undefined {
  const origin = slot.origin ?? 0;
  const streamed = useEditor(({ live }) => live.steps.get(origin));
  const page = useQuery({
    ...stepsQuery(tapeId, origin, 1),
    enabled: slot.origin !== null && streamed === undefined,
  });
  return streamed ?? page.data?.items[0];
}

/** When the file says an imported step's LLM call was made; `undefined` until it is known. */
function useCallTime(tapeId: string, { recorded }: StepRow): string | null | undefined {
  const callId = recorded?.writer === "import" ? recorded.call_id : null;
  const call = useQuery({ ...callQuery(tapeId, callId ?? ""), enabled: callId !== null });
  return callId === null ? null : call.data?.started_at;
}

/** An import does not record when a step was written: show the file's time, or "unknown". */
function timeFacts(
  { writer }: OutlineRow,
  step: StepData | undefined,
  calledAt: string | null | undefined,
): Fact[] {
  const stored = <RelativeTime key="at" value={step?.created_at} />;
  if (writer !== "import") return [["Recorded", stored]];
  const recorded =
    calledAt === null ? "time unknown" : <RelativeTime key="called" value={calledAt} />;
  return [
    ["Recorded", recorded],
    ["Imported", stored],
  ];
}

/** tape → run → agent version → node → LLM call, each with its link. */
function Chain({ row: { recorded }, model: { tape } }: { row: StepRow; model: TapeModel }) {
  const writer = recorded?.agent.split("/", 1)[0] ?? "";
  // Another agent's version is unknown: the tape knows only that of its last agent.
  const isOther = writer !== "" && tape.agent_name !== "" && writer !== tape.agent_name;
  const name = isOther ? writer : tape.agent_name;
  const agent = name === "" ? "unknown agent" : visibleText(name);
  const version = tape.agent_version === null ? "" : ` v${tape.agent_version}`;
  const isByAgent = recorded !== null && recorded.node !== "";
  return (
    <ol className={classes.chain} aria-label="Origin">
      <li>
        <span className="ts-hint">Tape</span> <ShortId id={tape.id} />
      </li>
      {tape.job !== null && (
        <li>
          <span className="ts-hint">Run</span>{" "}
          <Anchor component={Link} to="/runs" size="sm">
            {tape.job.state}
          </Anchor>
        </li>
      )}
      <li>
        <span className="ts-hint">Agent</span>{" "}
        {tape.agent_id === null || isOther ? (
          agent
        ) : (
          <Anchor
            component={Link}
            to={`/agents/${tape.agent_id}?v=${tape.agent_version ?? ""}`}
            size="sm"
          >
            {agent}
            {version}
          </Anchor>
        )}
      </li>
      {isByAgent && (
        <li>
          <span className="ts-hint">Node</span> {visibleText(recorded.agent)}.
          {visibleText(recorded.node)}
        </li>
      )}
      {recorded !== null && recorded.call_id !== null && (
        <li>
          <span className="ts-hint">Call</span>{" "}
          <Anchor component={Link} to={`?step=${recorded.position}&view=prompt`} size="sm">
            prompt
          </Anchor>{" "}
          <ShortId id={recorded.call_id} />
        </li>
      )}
    </ol>
  );
}

function stepFacts(
  { recorded, slot }: StepRow,
  step: StepData | undefined,
  calledAt: string | null | undefined,
  { tape }: TapeModel,
): Fact[] {
  if (recorded === null) return [];
  const metadata = step?.body.metadata;
  const stepId = isObject(metadata) && typeof metadata.id === "string" ? metadata.id : "";
  const facts: Fact[] = [
    ["Written by", WRITERS[recorded.writer]],
    ["Editor", step === undefined || step.edited_by === "" ? "nobody" : step.edited_by],
    ["Belongs to", recorded.is_own ? "this tape" : "the parent, shared with it"],
    ["Position", slot.origin],
    ...timeFacts(recorded, step, calledAt),
    ["Step id", idOrNone(stepId)],
    ["Prompt id", idOrNone(recorded.prompt_id)],
  ];
  const isReplaced = recorded.is_own && recorded.writer === "person" && tape.parent_id !== null;
  if (isReplaced && slot.origin !== null && slot.origin < (tape.forked_at ?? 0) + 1) {
    facts.splice(2, 0, ["Was", <WasLink key="was" position={slot.origin} tape={tape} />]);
  }
  return facts;
}

/** The step of the parent that a person's step replaced. */
function WasLink({ position, tape }: { position: number; tape: TapeModel["tape"] }) {
  return (
    <Anchor component={Link} to={`/t/${tape.parent_id ?? ""}?step=${position}`} size="sm">
      step {position} of the parent
    </Anchor>
  );
}

function tapeFacts({ tape }: TapeModel): Fact[] {
  const facts: Fact[] = [
    ["Author", named(tape.author)],
    [
      tape.digest === "" ? "Started" : "Imported",
      <RelativeTime key="at" value={tape.created_at} />,
    ],
  ];
  if (tape.agent_version_id !== null) {
    facts.push(["Agent version", <ShortId key="version" id={tape.agent_version_id} />]);
  }
  if (tape.parent_id !== null) {
    const title = tape.parent_title === "" ? "the parent" : visibleText(tape.parent_title);
    facts.push([
      "Forked from",
      <Anchor key="parent" component={Link} to={`/t/${tape.parent_id}`} size="sm">
        {title} at step {tape.forked_at ?? 0}
      </Anchor>,
    ]);
  }
  if (tape.source_id !== "")
    facts.push(["Id in the file", <ShortId key="source" id={tape.source_id} />]);
  if (tape.batch_name !== "") facts.push(["Batch", visibleText(tape.batch_name)]);
  return facts;
}

function named(name: string): string {
  return name === "" ? "none" : visibleText(name);
}

function idOrNone(id: string) {
  return id === "" ? "none" : <ShortId id={id} />;
}
