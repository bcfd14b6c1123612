/** The run bar of a tape, below an editor that has loaded it: for tests. */
import { useState } from "react";

import type { Estimate, Fit, Job, Session, Tape } from "@/api/types";
import type { Autosave } from "@/features/tape-editor/saving";
import {
  ActionsProvider,
  createEditorStore,
  EditorProvider,
  ModelProvider,
  useBuiltActions,
  useBuiltModel,
  useEditor,
} from "@/features/tape-editor/editor";
import { RunBar, useLiveRun } from "@/features/tape-editor/run";
import { answer } from "@/testing/answers";
import { agentDetail, agentRow, job, session, tapeRow, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

export const TAPE = uuid(1);

export const FIT: Fit = {
  can_continue: true,
  is_finished: false,
  agent: "analyst",
  node: "plan",
  open_actions: [],
  problems: [],
  notes: [],
  nearest: [],
};

const ESTIMATE: Estimate = {
  calls: { low: 2, likely: 3, high: 5 },
  input_tokens: { low: 100, likely: 200, high: 300 },
  output_tokens: { low: 10, likely: 20, high: 30 },
  cost_micro_usd: { low: 100, likely: 250, high: 400 },
  seconds: { low: 1, likely: 2, high: 4 },
  is_per_call: false,
  sample_count: 4,
  basis: "From 4 earlier runs.",
};

interface Served {
  run?: Job;
  fit?: Fit;
  role?: Session["role"];
  /** Names of the tools that were called in the tape's family. */
  called?: readonly string[];
  /** Of the address: "?step=1". */
  query?: string;
}

const AUTOSAVE: Autosave = { flush: () => Promise.resolve(true), stop: () => undefined };

/** The bar alone, below an editor that has loaded its tape. */
function Strip({ tape }: { tape: Tape }) {
  const [store] = useState(() => createEditorStore(tape.id));
  return (
    <EditorProvider value={store}>
      <Model tape={tape} />
    </EditorProvider>
  );
}

function Model({ tape }: { tape: Tape }) {
  useLiveRun(tape.id, tape.job);
  const model = useBuiltModel(tape, NO_PAGES);
  const written = useEditor(({ draft }) => draft.operations);
  const dispatch = useEditor((editor) => editor.dispatch);
  return (
    <ModelProvider value={model}>
      <ActionsProvider value={useBuiltActions({ model, select: ignore, goTo: ignore })}>
        <RunBar autosave={AUTOSAVE} />
        <output aria-label="Draft">{JSON.stringify(written)}</output>
        <button onClick={() => dispatch({ type: "typing.changed", edit: TYPED })}>Type</button>
      </ActionsProvider>
    </ModelProvider>
  );
}

/** Typing in a form that has not paused yet. */
const TYPED = {
  operation: { op: "replace", position: 1, step: { kind: "user", content: "Hi" } },
  session: "step-1",
} as const;

const ignore = () => undefined;

const NO_PAGES: [] = [];

export function openRunBar(served: Served = {}) {
  const { run, fit = FIT, role = "owner", called = [], query = "" } = served;
  const tape: Tape = {
    ...tapeRow({ step_count: 2 }),
    source_id: "",
    task: "",
    expected: "",
    actual: "",
    outcome: "",
    score: null,
    metadata: {},
    context: null,
    forked_at: null,
    parent_title: "",
    edit_words: "",
    owner_id: null,
    root_id: null,
    version: 1,
    digest: "",
    agent_id: uuid(300),
    agent_version_id: uuid(310),
    agent_version: 1,
    draft: null,
    other_drafts: [],
    job: run ?? null,
  };
  server.use(
    answer("get", `/tapes/${TAPE}/fit`, fit),
    answer("get", `/tapes/${TAPE}/fixes`, []),
    answer("get", `/tapes/${TAPE}/made-with`, null),
    answer(
      "get",
      `/tapes/${TAPE}/tools`,
      called.map((name) => ({
        name,
        description: "",
        parameters: {},
        is_irreversible: false,
      })),
    ),
    answer("post", `/tapes/${TAPE}/estimate`, ESTIMATE),
    answer("get", "/agents", [agentRow()]),
    answer("get", `/agents/${uuid(300)}`, agentDetail()),
    answer("get", "/models", []),
    answer("get", "/step-kinds", []),
    answer("get", "/session", session({ role })),
    answer("get", `/jobs/${uuid(100)}`, run ?? job()),
  );
  return renderScreen({
    path: "/t/:tapeId",
    element: <Strip tape={tape} />,
    at: `/t/${TAPE}${query}`,
  });
}
