import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import { FIT, openRunBar as open, TAPE } from "@/features/tape-editor/testing/runBar";
import { keepModel, loadModel } from "@/features/tape-editor/choice";
import { answer, record } from "@/testing/answers";
import { agentDetail, agentVersion, job, model, runResult, uuid } from "@/testing/builders";
import { FakeSocket } from "@/testing/FakeSocket";
import { server } from "@/testing/server";

const bar = () => screen.findByRole("region", { name: "Run" });

beforeEach(() => FakeSocket.install());

test("the bar says what a run will probably take", async () => {
  open();

  expect(await screen.findByText("about 3 calls, 220 tokens, $0.0003, 2.0 s worked")).toBeVisible();
});

test("options that differ are counted, remembered for the tape and sent", async () => {
  const started = { tape_id: TAPE, job_id: uuid(100) };
  const { handler, requests } = record("post", `/tapes/${TAPE}/resume`, started, 201);
  const { user } = open();
  server.use(handler);

  await user.click(await screen.findByRole("button", { name: "Options" }));
  const panel = await screen.findByLabelText("Run options");
  fireEvent.change(within(panel).getByLabelText("Seed"), { target: { value: "7" } });
  await user.click(within(panel).getByLabelText(/Step by step/));
  await user.click(within(panel).getByText("Done"));

  expect(await screen.findByRole("button", { name: "Options, 2 changed" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Resume" }));
  expect(requests.at(-1)?.body).toMatchObject({
    agent_version_id: uuid(310),
    parameters: { seed: 7 },
    is_stepping: true,
    use_draft: false,
  });
  expect(window.localStorage.getItem("studio.run-choices")).toContain('"seed":7');
}, 60_000);

const TWO_MODELS = [
  model({ id: uuid(400), name: "mini" }),
  model({ id: uuid(401), name: "last chosen" }),
];
const NEEDY = agentVersion({ needs_model: true });

test("an agent without a model asks for one, and the one that is chosen stays with it", async () => {
  open();
  server.use(
    answer("get", `/agents/${uuid(300)}`, agentDetail({ versions: [NEEDY] })),
    answer("get", "/models", TWO_MODELS),
  );

  expect(await screen.findByText(/has no model of its own/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Resume" })).toBeDisabled();
  fireEvent.click(screen.getByRole("combobox", { name: "Model" }));
  // No script answers unless the agent itself names it: models of the project are all there is.
  const offered = await screen.findAllByRole("option");
  expect(offered.map((option) => option.textContent)).toEqual(["mini", "last chosen"]);
  fireEvent.click(screen.getByRole("option", { name: "mini" }));
  expect(screen.getByRole("button", { name: "Resume" })).toBeEnabled();
  expect(screen.queryByText(/has no model of its own/)).not.toBeInTheDocument();
  expect(screen.queryByRole("option", { name: "Agent default" })).not.toBeInTheDocument();

  expect(loadModel(uuid(300))).toBe(uuid(400));
  expect(loadModel(uuid(301))).toBeNull();
});

const MADE = {
  model_id: uuid(400),
  parameters: { seed: 7, stop: ["END"] },
  tools: { default: "live", by_tool: {}, mocks: {} },
  max_turns: 9,
} as const;

test.each([
  ["the only one", TWO_MODELS.slice(0, 1), null, "mini"],
  ["the last one chosen for another agent", TWO_MODELS, uuid(401), "last chosen"],
])("an agent without a model takes %s", async (_, models, chosen, taken) => {
  keepModel(uuid(301), chosen);
  open();
  server.use(
    answer("get", `/agents/${uuid(300)}`, agentDetail({ versions: [NEEDY] })),
    answer("get", "/models", models),
  );

  const field = await screen.findByRole("combobox", { name: "Model" });
  await waitFor(() => expect(field).toHaveValue(taken));
  expect(screen.queryByText(/has no model of its own/)).not.toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Resume" })).toBeEnabled();
});

test("a tape keeps what its newest run was made with", async () => {
  keepModel(uuid(300), uuid(401));
  const started = { tape_id: TAPE, job_id: uuid(100) };
  const { handler, requests } = record("post", `/tapes/${TAPE}/resume`, started, 201);
  const { user } = open();
  server.use(
    handler,
    answer("get", "/models", TWO_MODELS),
    answer("get", `/tapes/${TAPE}/made-with`, MADE),
  );

  await waitFor(() => expect(screen.getByRole("combobox", { name: "Model" })).toHaveValue("mini"));
  await user.click(screen.getByRole("button", { name: "Resume" }));
  expect(requests.at(-1)?.body).toMatchObject({
    model_id: uuid(400),
    parameters: { seed: 7, stop: ["END"] },
    max_turns: 9,
  });
});

test("a tape that was made with its agent's own model keeps that", async () => {
  keepModel(uuid(300), uuid(401));
  open();
  server.use(
    answer("get", "/models", TWO_MODELS),
    answer("get", `/tapes/${TAPE}/made-with`, { ...MADE, model_id: null }),
  );

  // Its seed shows that what it was made with is known.
  expect(await screen.findByRole("button", { name: "Options, 3 changed" })).toBeVisible();
  expect(screen.getByRole("combobox", { name: "Model" })).toHaveValue("Agent default");
});

test("tools that only other tapes of the family called have a policy too", async () => {
  const { user } = open({ called: ["get_price", "buy"] });

  await user.click(await screen.findByRole("button", { name: "Options" }));
  const tools = within(await screen.findByRole("region", { name: "Tools" }));

  expect(await tools.findByRole("combobox", { name: "Policy of buy" })).toBeVisible();
  expect(tools.getAllByRole("combobox", { name: /^Policy of/ })).toHaveLength(2);
});

test("tools that the agent does not have are named, and can be emulated", async () => {
  const { user } = open({ called: ["buy", "sell"], fit: { ...FIT, open_actions: ["buy"] } });

  const note = await screen.findByText(/^This agent does not have buy, which/);
  screen.getByRole("button", { name: "Emulate it" }).focus();
  await user.keyboard("{Enter}");

  await waitFor(() => expect(note).not.toBeInTheDocument());
  await user.click(await screen.findByRole("button", { name: "Options, 1 changed" }));
  const tools = within(await screen.findByRole("region", { name: "Tools" }));
  expect(tools.getByRole("combobox", { name: "Policy of buy" })).toHaveValue(
    "Emulate: answer as it would",
  );
  expect(await tools.findByText(/^This agent does not have sell, which/)).toBeVisible();
});

test("the rules of the chosen version are shown above the policies of tools", async () => {
  const { user } = open();
  const versions = [agentVersion({ tool_rules: ["Refuse get_price."] })];
  server.use(answer("get", `/agents/${uuid(300)}`, agentDetail({ versions })));

  await user.click(await screen.findByRole("button", { name: "Options" }));
  const tools = within(await screen.findByRole("region", { name: "Tools" }));

  const rules = await tools.findByRole("list", { name: /^Rules of the agent/ });
  expect(rules).toHaveTextContent("1. Refuse get_price.");
});

test("where there are no tools there is nothing to decide on them", async () => {
  const { user } = open();
  server.use(answer("get", `/agents/${uuid(300)}`, agentDetail({ tools: [] })));

  await user.click(await screen.findByRole("button", { name: "Options" }));

  expect(await screen.findByRole("region", { name: "Model parameters" })).toBeVisible();
  expect(screen.queryByRole("region", { name: "Tools" })).not.toBeInTheDocument();
});

test("a breakpoint on a name that nothing has is marked", async () => {
  const breakpoints = [
    { kind: "tool", value: "get_price" },
    { kind: "tool", value: "get_prise" },
    { kind: "tool", value: "send_mail" },
  ] as const;
  const control = { ...job().control, breakpoints: [...breakpoints] };
  // The last is a tool that only another tape of the family called.
  const { user } = open({ run: job({ state: "running", control }), called: ["send_mail"] });

  await user.click(await screen.findByRole("button", { name: "Breakpoints, 3 set" }));
  const rows = within(await screen.findByRole("list", { name: "Breakpoints" }));
  await waitFor(() => expect(rows.getAllByText("no such tool")).toHaveLength(1));
  expect(rows.getAllByRole("listitem")[1]).toHaveTextContent("get_prise");
});

test("an agent that does not fit is refused with the reason, and another is one click away", async () => {
  const message = "Node 'act' not found in agent 'analyst'.";
  const near = { agent_id: uuid(300), agent_version_id: uuid(310), name: "planner", number: 2 };
  const problem = { code: "node_missing", name: "act", message };
  open({
    fit: { ...FIT, can_continue: false, problems: [problem], nearest: [{ ...near, overlap: 0.5 }] },
  });

  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.getByRole("button", { name: "Resume" })).toBeDisabled();
  expect(screen.getByRole("button", { name: "planner v2" })).toBeEnabled();
});

test("a tool that is gone can be emulated, and then the agent fits", async () => {
  const message = "There is no tool named 'mcp.shop.pay'. Or let the run emulate it.";
  const problem = { code: "tool_missing", name: "pay", message };
  const { user } = open({ fit: { ...FIT, can_continue: false, problems: [problem] } });

  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.getByRole("button", { name: "Resume" })).toBeDisabled();
  await user.click(screen.getByRole("button", { name: "Emulate it" }));

  expect(screen.queryByText(message)).toBeNull();
  expect(screen.getByRole("button", { name: "Resume" })).toBeEnabled();
});

test("a finished tape says so, and offers neither a resume nor an estimate of one", async () => {
  const note = "The tape is finished: edit or cut it to continue.";
  open({ fit: { ...FIT, is_finished: true, notes: [note] } });

  expect(await screen.findByText(note)).toBeVisible();
  expect(screen.getByRole("button", { name: "Resume" })).toBeDisabled();
  expect(screen.queryByText(/about 3 calls/)).toBeNull();
});

test("an edit of a finished tape is resumed while it is still being typed", async () => {
  const started = { tape_id: TAPE, job_id: uuid(100) };
  const { handler, requests } = record("post", `/tapes/${TAPE}/resume`, started, 201);
  const { user } = open({ fit: { ...FIT, is_finished: true } });
  server.use(handler);
  const resume = await screen.findByRole("button", { name: "Resume" });
  await waitFor(() => expect(resume).toBeDisabled());

  await user.click(screen.getByRole("button", { name: "Type" }));
  await user.click(resume);

  await waitFor(() => expect(requests).toHaveLength(1));
});

test("a model without a key leads to the models", async () => {
  const problem = { code: "model_key_missing", name: "mini", message: "Set MINI_KEY." };
  open({ fit: { ...FIT, can_continue: false, problems: [problem] } });

  expect(await screen.findByRole("link", { name: "Open models" })).toHaveAttribute(
    "href",
    "/models",
  );
});

test("a breakpoint that is hit is named with a link to the step", async () => {
  const hit = { kind: "tool", value: "get_price", position: 1 } as const;
  const { user, address } = open({
    run: job({ state: "paused", run: runResult({ status: "paused", hit }) }),
  });

  expect(await screen.findByText(/Before tool get_price/)).toBeVisible();
  await user.click(within(await bar()).getByRole("button", { name: "step 1" }));
  expect(address()).toContain("step=1");
  expect(screen.getByRole("button", { name: "Continue" })).toBeEnabled();
});

test("an answer that is asked for as data is a form", async () => {
  const schema = {
    type: "object",
    properties: { colour: { type: "string" } },
    required: ["colour"],
  };
  const asks = {
    position: 1,
    kind: "question_action",
    tool: "",
    call_id: "",
    message: "Which colour?",
    data_schema: schema,
    answer_kind: "",
    can_approve: false,
  };
  const { handler, requests } = record("post", `/jobs/${uuid(100)}/reply`, job());
  const { user } = open({ run: job({ state: "waiting", run: runResult({ asks }) }) });
  server.use(handler);

  expect(await screen.findByText("Which colour?")).toBeVisible();
  const form = await screen.findByRole("form", { name: "Answer" });
  await user.type(await within(form).findByRole("textbox"), "blue");
  await user.click(within(form).getByRole("button", { name: "Send" }));

  expect(requests.at(-1)?.body).toEqual({ data: { colour: "blue" } });
});

const MESSAGE = {
  position: 1,
  kind: "assistant",
  tool: "",
  call_id: "",
  message: "",
  data_schema: null,
  answer_kind: "" as const,
  can_approve: false,
};
const MESSAGE_FIELD = { name: "The agent is waiting for your answer" };

test("the field has the focus when the agent waits; Shift and Enter make a line", async () => {
  const { handler, requests } = record("post", `/jobs/${uuid(100)}/reply`, job());
  const { user } = open({ run: job({ state: "waiting", run: runResult({ asks: MESSAGE }) }) });
  server.use(handler);

  await waitFor(() => expect(screen.getByRole("textbox", MESSAGE_FIELD)).toHaveFocus());
  await user.keyboard("one{Shift>}{Enter}{/Shift}two{Enter}");

  await waitFor(() => expect(requests.at(-1)?.body).toEqual({ text: "one\ntwo" }));
});

test("who reads a step keeps the keys", async () => {
  open({
    run: job({ state: "waiting", run: runResult({ asks: MESSAGE }) }),
    query: "?step=1",
  });

  expect(await screen.findByRole("textbox", MESSAGE_FIELD)).not.toHaveFocus();
});

test("an image that is pasted goes with the answer; what is none is refused in words", async () => {
  const { handler, requests } = record("post", `/jobs/${uuid(100)}/reply`, job());
  const { user } = open({ run: job({ state: "waiting", run: runResult({ asks: MESSAGE }) }) });
  server.use(handler);
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";
  const image = new File(
    [Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0))],
    "dot.png",
    {
      type: "image/png",
    },
  );

  const box = await screen.findByRole("textbox", MESSAGE_FIELD);
  await user.type(box, "What is it?");
  fireEvent.paste(box, { clipboardData: { files: [new File(["<svg/>"], "a.svg")] } });
  expect(await screen.findByText("a.svg is not a PNG, JPEG, GIF or WebP image.")).toBeVisible();
  fireEvent.paste(box, { clipboardData: { files: [image] } });
  expect(await screen.findByRole("img", { name: "dot.png" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Send" }));

  await waitFor(() => expect(requests).toHaveLength(1));
  const part = { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } };
  expect(requests[0]?.body).toEqual({ text: "What is it?", attachments: [part] });
});

test("a tool that asks can be allowed or refused, and is asked about no more", async () => {
  const asks = {
    position: 1,
    kind: "assistant",
    tool: "send_mail",
    call_id: "a",
    message: "'send_mail' needs your approval.",
    data_schema: null,
    answer_kind: "",
    can_approve: true,
  };
  const { handler, requests } = record("post", `/jobs/${uuid(100)}/reply`, job());
  const { user } = open({ run: job({ state: "waiting", run: runResult({ asks }) }) });
  const call = { id: "a", function: { name: "send_mail", arguments: '{"to":"ada"}' } };
  const step = { position: 1, cut: null, body: { kind: "assistant", tool_calls: [call] } };
  server.use(handler, answer("get", `/tapes/${TAPE}/steps/1`, step));

  expect(await screen.findByLabelText("Arguments of send_mail")).toHaveTextContent('"to": "ada"');
  const approve = await screen.findByRole("button", { name: "Approve" });
  expect(screen.getByRole("button", { name: "Deny" })).toBeEnabled();
  await user.click(approve);

  await waitFor(() => expect(approve).not.toBeInTheDocument());
  expect(requests.map(({ body }) => body)).toEqual([{ approve: true }]);
});

test("a tool that cannot be run here can be emulated", async () => {
  const asks = {
    ...MESSAGE,
    tool: "send_mail",
    call_id: "a",
    message: "'send_mail' cannot be run here; enter its result to continue.",
  };
  const { handler, requests } = record("post", `/jobs/${uuid(100)}/reply`, job());
  const { user } = open({ run: job({ state: "waiting", run: runResult({ asks }) }) });
  const step = { position: 1, cut: null, body: { kind: "assistant" } };
  server.use(handler, answer("get", `/tapes/${TAPE}/steps/1`, step));

  await user.click(await screen.findByRole("button", { name: "Emulate it" }));

  await waitFor(() => expect(requests.map(({ body }) => body)).toEqual([{ emulate: true }]));
  expect(screen.queryByRole("button", { name: "Approve" })).not.toBeInTheDocument();
});

test("a provider error is told with a way to go on", async () => {
  open({
    run: job({ state: "failed", error_code: "llm_transient", message: "503.", run: runResult() }),
  });

  expect(await screen.findByText("The model failed.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Retry from here" })).toBeEnabled();
});

test("a mistake in an agent's code is shown with the lines that ran last", async () => {
  const line = { file: "mine.py", line: 12, function: "look_up", code: 'return found["x"]' };
  const run = runResult({ status: "error", code_lines: [line] });
  open({ run: job({ state: "failed", error_code: "agent_code", message: "It failed.", run }) });

  const lines = await screen.findByRole("list", { name: "Lines of code" });
  expect(within(lines).getByText("mine.py, line 12, in look_up")).toBeVisible();
  expect(within(lines).getByText('return found["x"]')).toBeVisible();
});

test("a viewer sees no controls", async () => {
  open({ role: "viewer" });

  expect(await screen.findByText(/You can only view this project/)).toBeVisible();
  expect(within(await bar()).queryByRole("button")).toBeNull();
});
