import { screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";

import type { Tape } from "@/api/types";
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
import { buildCall } from "@/features/tape-editor/testing/builders";
import { buildTape, serveTape, STEPS, TAPE } from "@/features/tape-editor/testing/page";
import { answer } from "@/testing/answers";
import { uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const CALL = buildCall();

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
