import { screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";

import type { LLMCall, Tape } from "@/api/types";
import {
  createEditorStore,
  EditorProvider,
  ModelProvider,
  useBuiltModel,
  useTapeModel,
} from "@/features/tape-editor/editor";
import { AutosaveChip } from "@/features/tape-editor/saving";
import type { Answer } from "@/features/tape-editor/playground/playground";
import { UseAnswer } from "@/features/tape-editor/playground/UseAnswer";
import { buildTape, serveTape, STEPS, TAPE } from "@/features/tape-editor/testing/page";
import { answer } from "@/testing/answers";
import { uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const CALL: LLMCall = {
  id: uuid(50),
  prompt_id: "prompt-1",
  model_name: "mini",
  messages: [],
  first_message: 0,
  message_count: 0,
  shared_message_count: 0,
  previous_call_id: null,
  previous_message_count: 0,
  tools: null,
  response_format: null,
  left_out: "",
  chosen: {},
  tokens: null,
  llm: {},
  output: { content: "Hi there" },
  finish_reason: "stop",
  error: "",
  usage: {
    input_tokens: 10,
    cache_read_tokens: null,
    cache_write_tokens: null,
    output_tokens: 5,
    reasoning_tokens: null,
    is_estimate: false,
  },
  price_lines: [],
  cost_micro_usd: null,
  is_cached: false,
  started_at: null,
  first_token_seconds: null,
  duration_seconds: null,
};

const ANSWER: Answer = {
  key: 1,
  modelId: uuid(60),
  jobId: uuid(61),
  state: "done",
  text: "Let me think.",
  reasoning: "",
  tools: [],
  error: "",
  run: null,
};

const NO_PAGES: [] = [];

function Editor({ tape }: { tape: Tape }) {
  const [store] = useState(() => createEditorStore(tape.id));
  return (
    <EditorProvider value={store}>
      <Model tape={tape} />
    </EditorProvider>
  );
}

function Model({ tape }: { tape: Tape }) {
  const model = useBuiltModel(tape, NO_PAGES);
  return (
    <ModelProvider value={model}>
      <AutosaveChip onLoadTheirs={() => undefined} onKeepMine={() => undefined} />
      <UseAnswer call={CALL} answer={ANSWER} onClose={() => undefined} />
      <Reading />
    </ModelProvider>
  );
}

/** What the tape reads now: what the draft wrote, recorded steps by their number. */
function Reading() {
  const { slots } = useTapeModel();
  const said = slots.map(({ origin, written }) =>
    typeof written?.content === "string" ? written.content : `recorded ${origin ?? ""}`,
  );
  return <p aria-label="The tape">{said.join(" | ")}</p>;
}

test("an answer that becomes several steps is taken back by one undo", async () => {
  serveTape(buildTape());
  server.use(
    answer("post", `/tapes/${TAPE}/calls/${CALL.id}/steps`, {
      positions: [1],
      steps: [
        { kind: "thought", content: "Let me think." },
        { kind: "assistant", content: "Hello yourself" },
        { kind: "stop", content: "Done" },
      ],
    }),
  );
  const tape = buildTape({ step_count: STEPS.length });
  const { user } = renderScreen({ path: "/", element: <Editor tape={tape} /> });
  const reading = screen.getByLabelText("The tape");

  await user.click(screen.getByRole("button", { name: "Use this answer" }));
  const undo = await screen.findByRole("button", { name: "Undo" });
  expect(reading).toHaveTextContent("recorded 0 | Let me think. | Hello yourself | Done");

  await user.click(undo);
  expect(reading).toHaveTextContent("recorded 0 | recorded 1");
  expect(undo).toBeDisabled();

  await user.click(screen.getByRole("button", { name: "Redo" }));
  expect(reading).toHaveTextContent("recorded 0 | Let me think. | Hello yourself | Done");
});
