import { screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";

import type { Annotation } from "@/api/types";
import { AgentEditorPage } from "@/features/agent-editor/AgentEditorPage";
import { AGENT, draft, draftPrompt, serveEditor } from "@/features/agent-editor/testing";
import { buildCall, buildStep } from "@/features/tape-editor/testing/builders";
import { buildTape } from "@/features/tape-editor/testing/page";
import { listenForKeys } from "@/lib/keys";
import { answer, record, refuse } from "@/testing/answers";
import { job, MOMENT, tapeRow, uuid } from "@/testing/builders";
import { toColumns } from "@/testing/outline";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const FAILED = uuid(1);
const PASSED = uuid(2);
const OUTPUT = { content: "Never." };

const STEPS = [
  buildStep(0, { kind: "user", family: "observation", agent: "", node: "", gist: "How much?" }),
  buildStep(1, { agent: "analyst", node: "plan", gist: "Look it up" }),
  buildStep(2, { agent: "analyst", node: "act", gist: "Never.", is_error: true }),
];

const note = (part: Partial<Annotation>): Annotation => ({
  id: uuid(70),
  tape_id: FAILED,
  position: 2,
  field: "",
  start: null,
  end: null,
  quote: "",
  kind: "note",
  name: "",
  value: null,
  scale: null,
  text: "",
  source: "person",
  source_name: "ada",
  outcome: null,
  can_edit: true,
  can_delete: true,
  created_at: MOMENT,
  updated_at: MOMENT,
  ...part,
});

const NOTES = [
  note({ text: "It gave up.", quote: "Never." }),
  note({ id: uuid(71), kind: "correction", quote: "Never.", text: "In May.", source_name: "ben" }),
  note({ id: uuid(72), position: 1, text: "A good plan." }),
  note({ id: uuid(73), position: null, text: "About the whole tape." }),
];

function serveTapes() {
  const asked: unknown[] = [];
  server.use(
    answer("get", "/tapes", {
      items: [
        tapeRow({ id: PASSED, title: "Good", outcome: "pass" }),
        tapeRow({ id: FAILED, title: "Bad", outcome: "fail" }),
      ],
      next: null,
    }),
    http.post(`http://studio.test/api/v1/agents/${AGENT}/draft/prompt`, async ({ request }) => {
      const body: unknown = await request.json();
      asked.push(body);
      return HttpResponse.json(promptOf(body));
    }),
    answer("get", `/tapes/${FAILED}/calls/${uuid(50)}`, buildCall({ output: OUTPUT })),
  );
  for (const id of [FAILED, PASSED, uuid(3)]) {
    server.use(
      answer("get", `/tapes/${id}/annotations`, { items: id === FAILED ? NOTES : [] }),
      answer(
        "get",
        `/tapes/${id}`,
        buildTape({
          id,
          step_count: 3,
          ...(id === FAILED ? { title: "Bad", outcome: "fail" } : {}),
        }),
      ),
      answer("get", `/tapes/${id}/outline`, toColumns(STEPS)),
    );
  }
  return asked;
}

function promptOf(body: unknown) {
  const text = JSON.stringify(body);
  const isBrief = text.includes("Be brief.");
  return draftPrompt({
    recorded_call_id: uuid(50),
    node_name: text.includes('"position":1') ? "plan" : "act",
    changes: isBrief
      ? [
          {
            op: "changed",
            count: 1,
            before: 0,
            after: 0,
            old: { role: "system", content: "You are an analyst." },
            words: [
              { op: "equal", text: "You are an analyst." },
              { op: "insert", text: " Be brief." },
            ],
          },
        ]
      : [{ op: "equal", count: 1, before: 0, after: 0, old: null, words: null }],
  });
}

/** Keeps the steps of the failed tape back until what it returns is called. */
function holdOutline(): () => void {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  server.use(
    http.get(`http://studio.test/api/v1/tapes/${FAILED}/outline`, async () => {
      await held;
      return HttpResponse.json(toColumns(STEPS));
    }),
  );
  return () => release();
}

const openEditor = (query = "") =>
  renderScreen({
    path: "/agents/:agentId/edit",
    element: <AgentEditorPage />,
    at: `/agents/${AGENT}/edit${query}`,
  });

test("the newest failed tape is open at its error, with its prompt by the draft", async () => {
  serveEditor();
  serveTapes();
  openEditor();

  const prompt = within(await screen.findByRole("region", { name: "Prompt by this draft" }));
  expect(await prompt.findByText("1 message, the same as recorded")).toBeVisible();
  expect(await prompt.findByText("Never.")).toBeVisible();
  expect(screen.getByRole("combobox", { name: "Tape" })).toHaveDisplayValue(/Failed: Bad/);
  expect(screen.getByRole("option", { selected: true })).toHaveTextContent("act");
});

test("an editor that is opened again waits for the newest failed tape", async () => {
  serveEditor();
  serveTapes();
  const { router } = openEditor();
  await screen.findByRole("region", { name: "Prompt by this draft" });
  await router.navigate("/elsewhere");
  await screen.findByText("Somewhere else");
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  server.use(
    http.get("http://studio.test/api/v1/tapes", async () => {
      await held;
      const newest = tapeRow({ id: uuid(3), title: "Worse", outcome: "fail" });
      return HttpResponse.json({ items: [newest], next: null });
    }),
  );

  await router.navigate(`/agents/${AGENT}/edit`);

  expect(await screen.findByLabelText("Loading the tape")).toBeVisible();
  expect(screen.queryByRole("combobox", { name: "Tape" })).toBeNull();
  release();
  await waitFor(() => expect(router.state.location.search).toContain(`tape=${uuid(3)}`));
});

test("a changed sentence is marked in the prompt as it is typed, without a save", async () => {
  serveEditor();
  const asked = serveTapes();
  const { user } = openEditor(`?tape=${FAILED}&step=2&node=/nodes/1`);

  await user.type(await screen.findByRole("textbox", { name: "Instruction" }), " Be brief.");

  const changed = within(await screen.findByRole("region", { name: "Changed message" }));
  expect(changed.getByText("Be brief.", { exact: false, selector: "ins" })).toBeVisible();
  expect(screen.getByText(/1 of 1 message differs/)).toBeVisible();
  expect(asked.at(-1)).toMatchObject({
    tape_id: FAILED,
    position: 2,
    spec: { templates: { system: "You are an analyst. Be brief." } },
  });
});

test("a selected step selects the node that wrote it", async () => {
  serveEditor();
  serveTapes();
  const { user, address } = openEditor(`?tape=${FAILED}&step=2`);

  expect(await screen.findByRole("region", { name: "Node act" })).toBeVisible();
  await user.click(await screen.findByRole("option", { name: /Look it up/ }));

  expect(await screen.findByRole("region", { name: "Node plan" })).toBeVisible();
  expect(await screen.findByText("Prompt of plan by this draft")).toBeVisible();
  expect(address()).toContain("step=1");
});

test("the notes on a step are above its prompt, the one that led here first", async () => {
  serveEditor();
  serveTapes();
  const { user } = openEditor(`?tape=${FAILED}&step=2&note=${uuid(71)}`);

  const notes = await screen.findByRole("region", { name: "Notes on step 2" });
  const [first, second] = within(notes).getAllByRole("listitem");
  expect(first).toHaveTextContent(/^ben.*Never\. In May\.$/);
  expect(first).toHaveAttribute("aria-current", "true");
  expect(second).toHaveTextContent(/^ada.*It gave up\.$/);
  expect(screen.queryByText("About the whole tape.")).not.toBeInTheDocument();
  const prompt = await screen.findByRole("region", { name: "Prompt by this draft" });
  expect(notes.compareDocumentPosition(prompt)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);

  // The list of steps shows which others have notes.
  const other = screen.getByRole("option", { name: /Look it up/ });
  expect(within(other).getByRole("img", { name: "1 note" })).toBeVisible();
  await user.click(other);

  expect(await screen.findByText("A good plan.")).toBeVisible();
  expect(screen.queryByText("It gave up.")).not.toBeInTheDocument();
});

test.each([
  [1, "plan"],
  [2, "act"],
])("a link to step %i opens the node %s, whatever has the focus by itself", async (step, node) => {
  serveEditor();
  serveTapes();
  const release = holdOutline();
  const { address } = openEditor(`?tape=${FAILED}&step=${step}`);
  const nodes = within(await screen.findByRole("navigation", { name: "Nodes" }));
  await waitFor(() => expect(nodes.getByRole("button", { name: /^plan/ })).toHaveFocus());
  expect(address()).not.toContain("node=");

  release();

  expect(await screen.findByText(`Prompt of ${node} by this draft`)).toBeVisible();
  expect(await screen.findByRole("region", { name: `Node ${node}` })).toBeVisible();
});

test("who writes before the steps have come stays at the node", async () => {
  serveEditor();
  serveTapes();
  const release = holdOutline();
  const { user, address } = openEditor(`?tape=${FAILED}&step=2`);
  const instruction = await screen.findByRole("textbox", { name: "Instruction" });

  await user.click(instruction);
  release();

  expect(await screen.findByText("Prompt of act by this draft")).toBeVisible();
  expect(address()).toContain("node=%2Fnodes%2F0");
  expect(instruction).toHaveFocus();
  expect(screen.getByRole("region", { name: "Node plan" })).toBeVisible();
});

test("a step that nobody's node wrote has no prompt and cannot be run from", async () => {
  serveEditor();
  serveTapes();
  openEditor(`?tape=${FAILED}&step=0`);

  expect(await screen.findByText(/Select a step that a node wrote/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Run from here with this draft" })).toBeDisabled();
});

test("a prompt that the draft cannot make says why", async () => {
  serveEditor();
  serveTapes();
  server.use(
    refuse("post", `/agents/${AGENT}/draft/prompt`, "The draft has no node 'act' any more.", 422),
  );
  openEditor();

  expect(await screen.findByText("The draft has no node 'act' any more.")).toBeVisible();
});

test("the draft runs from the step, saved first, and the new tape takes its place", async () => {
  const { puts } = serveEditor();
  serveTapes();
  const running = buildTape({ id: uuid(3), title: "Again", step_count: 3, job: job() });
  const { handler, requests } = record(
    "post",
    `/agents/${AGENT}/draft/run`,
    { tape_id: uuid(3), job_id: uuid(100) },
    201,
  );
  server.use(handler, answer("get", `/tapes/${uuid(3)}`, running));
  const stop = listenForKeys();
  const { user, address } = openEditor(`?tape=${FAILED}&step=2&node=/nodes/1`);

  await user.type(await screen.findByRole("textbox", { name: "Instruction" }), "!");
  await screen.findByRole("region", { name: "Prompt by this draft" });
  await user.keyboard("{Control>}{Enter}{/Control}");

  await waitFor(() => expect(address()).toContain(`tape=${uuid(3)}`));
  expect(requests[0]?.body).toMatchObject({
    revision: puts.length,
    tape_id: FAILED,
    position: 2,
    request: { model_id: null, until: { kind: "end" } },
  });
  expect(await screen.findByText("Running")).toBeVisible();
  expect(screen.getByRole("link", { name: "Open the tape" })).toHaveAttribute(
    "href",
    expect.stringContaining(`/t/${uuid(3)}`),
  );
  stop();
});

test("a draft with errors does not run", async () => {
  const problem = { path: "/nodes/0", message: "Unknown.", severity: "error" as const };
  serveEditor(draft({ problems: [problem] }));
  serveTapes();
  openEditor(`?tape=${FAILED}&step=2`);

  expect(
    await screen.findByRole("button", { name: "Run from here with this draft" }),
  ).toBeDisabled();
});

test("an agent without a tape says how to get one", async () => {
  serveEditor();
  openEditor();

  expect(await screen.findByText("No tape of this agent yet")).toBeVisible();
  expect(screen.getByRole("link", { name: "Start a tape" })).toHaveAttribute(
    "href",
    `/agents/${AGENT}`,
  );
});
