import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { AgentEditorPage } from "@/features/agent-editor/AgentEditorPage";
import { AGENT, draft, nodeType, serveEditor, SPEC } from "@/features/agent-editor/testing";
import { listenForKeys } from "@/lib/keys";
import { answer, record, refuse } from "@/testing/answers";
import { agentDetail, agentVersion, session, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const openEditor = (query = "") =>
  renderScreen({
    path: "/agents/:agentId/edit",
    element: <AgentEditorPage />,
    at: `/agents/${AGENT}/edit${query}`,
  });

test("nodes are listed with their routes, and arrow keys select the next one", async () => {
  serveEditor();
  const { user, address } = openEditor();

  const nodes = within(await screen.findByRole("navigation", { name: "Nodes" }));
  const act = nodes.getByRole("button", { name: /^act/ });
  expect(act).toHaveTextContent("→ plan after an answer, → act after tool calls");
  expect(nodes.getByRole("button", { name: /^find/ })).toHaveTextContent("never reached");

  await user.click(nodes.getByRole("button", { name: /^plan/ }));
  await user.keyboard("{ArrowDown}");

  expect(act).toHaveFocus();
  expect(address()).toContain("node=%2Fnodes%2F1");
  expect(screen.getByRole("region", { name: "Node act" })).toBeVisible();
});

test("a changed instruction is saved as it is typed, and can be undone", async () => {
  const { newest, puts } = serveEditor();
  const { handler, requests } = record("post", `/agents/${AGENT}/draft/undo`, draft());
  server.use(handler);
  const stop = listenForKeys();
  const { user } = openEditor();

  await user.type(await screen.findByRole("textbox", { name: "Instruction" }), " Be brief.");

  await waitFor(() =>
    expect(newest()).toMatchObject({ templates: { system: "You are an analyst. Be brief." } }),
  );
  expect(await screen.findByText("Draft · saved")).toBeVisible();
  await user.click(screen.getByRole("button", { name: /^Agent search/ }));
  await user.keyboard("{Control>}z{/Control}");

  await waitFor(() => expect(requests[0]?.body).toEqual({ revision: puts.length }));
  expect(await screen.findByText("No changes")).toBeVisible();
  stop();
});

test("a shared instruction says whose it also is, and a node can have its own", async () => {
  const { newest } = serveEditor();
  const { user } = openEditor("?node=/nodes/1");

  await user.click(await screen.findByRole("button", { name: "Give this node its own" }));

  await waitFor(() =>
    expect(newest()).toMatchObject({
      templates: { act_instruction: "You are an analyst." },
      nodes: [{}, { settings: { template: "act_instruction" } }],
    }),
  );
});

test("a draft that somebody else changed is not overwritten", async () => {
  serveEditor();
  server.use(
    answer(
      "put",
      `/agents/${AGENT}/draft`,
      { code: "draft_changed", message: "Grace changed the draft at 12:00.", details: {} },
      409,
    ),
  );
  const { user } = openEditor();
  await user.type(await screen.findByRole("textbox", { name: "Instruction" }), "!");

  expect(await screen.findByText("Grace changed the draft at 12:00.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Load theirs" }));

  expect(screen.getByRole("textbox", { name: "Instruction" })).toHaveValue("You are an analyst.");
  await waitFor(() => expect(screen.queryByText(/Grace/)).not.toBeInTheDocument());
});

test("nodes are added, renamed with what names them, moved and removed", async () => {
  const { newest } = serveEditor();
  const { user } = openEditor();
  const names = () =>
    within(screen.getByRole("navigation", { name: "Nodes" }))
      .getAllByRole("button")
      .map((row) => row.textContent.split("→")[0]?.replace("never reached", ""));

  const name = await screen.findByRole("textbox", { name: "Node" });
  await user.clear(name);
  await user.type(name, "think{Enter}");
  expect(name).toHaveFocus();
  await waitFor(() =>
    expect(newest()).toMatchObject({
      nodes: [{ settings: { name: "think" } }, { settings: { next_node: "think" } }],
    }),
  );
  await user.click(screen.getByRole("button", { name: "Move the node down" }));
  expect(names()).toEqual(["analyst", "act", "think", "search", "find"]);
  // It is the last one now, so what moves it back has the focus.
  await waitFor(() =>
    expect(screen.getByRole("button", { name: "Move the node up" })).toHaveFocus(),
  );
  await user.click(screen.getByRole("button", { name: "Remove the node" }));
  expect(names()).toEqual(["analyst", "act", "search", "find"]);

  // Without a way to the agent: the new node follows the selected one.
  await user.click(screen.getByRole("combobox", { name: "Add a node" }));
  await user.click(await screen.findByRole("option", { name: /Talk/ }));

  expect(names()).toEqual(["analyst", "act", "talk", "search", "find"]);
  expect(await screen.findByRole("region", { name: "Node talk" })).toBeVisible();
  await waitFor(() =>
    expect(newest()).toMatchObject({ nodes: [{}, { settings: { name: "talk" } }] }),
  );
});

test("other settings come from the schema of the node's type", async () => {
  const { newest } = serveEditor();
  const { user } = openEditor("?node=/nodes/1");

  const next = await screen.findByRole("combobox", { name: "Next node" });
  expect(next).toHaveValue("plan");
  await user.type(screen.getByRole("textbox", { name: "retries" }), "3");
  await user.type(screen.getByRole("combobox", { name: "Tools" }), "lookup{Enter}");

  await waitFor(() =>
    expect(newest()).toMatchObject({
      nodes: [{}, { settings: { retries: 3, tools: ["lookup"], next_node: "plan" } }],
    }),
  );
});

test("environments are chosen from those that there are, and have their settings", async () => {
  const { newest } = serveEditor();
  const { user } = openEditor("?node=/");
  const choose = async (field: string, name: RegExp) => {
    await user.click(screen.getByRole("combobox", { name: field }));
    await user.click(await screen.findByRole("option", { name }));
  };

  const usual = await screen.findByRole("combobox", { name: "Answered by" });
  expect(usual).toHaveValue("The tools of its nodes, and the person");
  await choose("Add an environment", /^shelf/);
  await user.type(screen.getByRole("textbox", { name: "room" }), "12");
  const shelf = { type: "shelf", settings: { room: "12" } };
  await waitFor(() => expect(newest()).toMatchObject({ environment: [shelf, ""] }));

  await choose("Add an environment", /^plain/);
  await waitFor(() => expect(newest()).toMatchObject({ environment: [shelf, "plain", ""] }));
  await user.click(screen.getByRole("button", { name: "Move environment 2 up" }));
  await waitFor(() => expect(newest()).toMatchObject({ environment: ["plain", shelf, ""] }));
  expect(screen.getByRole("combobox", { name: "Answered by, 2 of 3" })).toHaveValue("shelf");

  await user.click(screen.getByRole("button", { name: "Remove environment 3" }));
  await user.click(screen.getByRole("button", { name: "Remove environment 1" }));
  await waitFor(() => expect(newest()).toMatchObject({ environment: shelf }));
  await choose("Answered by", /^plain/);
  await waitFor(() => expect(newest()).toMatchObject({ environment: "plain" }));
  await user.click(screen.getByRole("button", { name: "Remove environment 1" }));
  await waitFor(() => expect(newest()).toMatchObject({ environment: "" }));
});

test("an environment that is not registered here keeps its settings", async () => {
  serveEditor(draft({ spec: { ...SPEC, environment: [{ type: "gone", settings: { a: "x" } }] } }));
  openEditor("?node=/");

  expect(await screen.findByRole("combobox", { name: "Answered by" })).toHaveValue("gone");
  expect(screen.getByRole("textbox", { name: "a" })).toHaveValue("x");
});

test("a problem leads to its field, and errors prevent saving a version", async () => {
  const message = "There is no node 'nowhere'.";
  serveEditor(
    draft({
      is_changed: true,
      problems: [{ path: "/nodes/1/settings/next_node", message, severity: "error" }],
    }),
  );
  const { user } = openEditor();

  const problems = within(await screen.findByRole("list", { name: "Problems" }));
  expect(screen.getByRole("button", { name: "Save as version…" })).toBeDisabled();
  expect(screen.getByText("1 error to fix first")).toBeVisible();
  await user.click(problems.getByRole("button"));

  await waitFor(() => expect(screen.getByRole("combobox", { name: "Next node" })).toHaveFocus());
});

test("a node of a plugin says where its code is", async () => {
  serveEditor();
  server.use(answer("get", "/agents/node-types", [nodeType({ written_in: "own.py, line 7" })]));
  openEditor();

  expect(await screen.findByText(/decided by its code: own\.py, line 7\./)).toBeVisible();
});

test("a draft becomes a version with a note, after a look at what it changes", async () => {
  serveEditor();
  const { handler, requests } = record(
    "post",
    `/agents/${AGENT}/draft/save`,
    agentVersion({ id: uuid(311), number: 2 }),
    201,
  );
  const words = [{ op: "insert", text: "Be brief." }];
  const change = { path: "templates.system", op: "changed", old: "", new: "Be brief.", words };
  server.use(handler, answer("get", `/agents/${AGENT}/draft/changes`, [change]));
  const { user } = openEditor();
  await user.type(await screen.findByRole("textbox", { name: "Instruction" }), " Be brief.");
  await screen.findByText("Draft · saved");

  await user.click(screen.getByRole("button", { name: "Save as version…" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByText("1 change since version 1")).toBeVisible();
  expect(dialog.getByText(/Be brief/)).toBeVisible();
  await user.type(dialog.getByRole("textbox", { name: "Note" }), "Shorter answers");
  const saved = draft({ revision: 2, base: { version_id: uuid(311), number: 2 } });
  server.use(answer("get", `/agents/${AGENT}/draft`, saved));
  await user.click(dialog.getByRole("button", { name: "Save" }));

  await waitFor(() => expect(requests[0]?.body).toMatchObject({ note: "Shorter answers" }));
  expect(await screen.findByText("Saved as version 2.")).toBeVisible();
  // The button that opened the dialog is disabled: there is nothing to save any more.
  await waitFor(() => expect(screen.getByText("v2")).toHaveFocus());
});

test("a draft is discarded only after a question", async () => {
  serveEditor(draft({ is_changed: true, revision: 3 }));
  const { handler, requests } = record("delete", `/agents/${AGENT}/draft`, null, 204);
  server.use(handler);
  const { user } = openEditor();

  await user.click(await screen.findByRole("button", { name: "Discard draft" }));
  expect(requests).toHaveLength(0);
  await user.click(await screen.findByRole("button", { name: "Discard" }));

  await waitFor(() => expect(requests).toHaveLength(1));
});

test("a viewer is sent to the page that can be read", async () => {
  serveEditor();
  server.use(answer("get", "/session", session({ role: "viewer" })));
  openEditor();

  expect(await screen.findByText("You can only view this project")).toBeVisible();
  expect(screen.getByRole("link", { name: "Open the agent" })).toHaveAttribute(
    "href",
    `/agents/${AGENT}`,
  );
});

test("an agent that cannot be loaded says so", async () => {
  serveEditor();
  server.use(refuse("get", `/agents/${AGENT}/draft`, "The agent was deleted.", 404));
  openEditor();

  expect(await screen.findByText("The agent was deleted.")).toBeVisible();
});

test("tools that come with the type of a node are shown until others are chosen", async () => {
  const { newest } = serveEditor();
  const { settings_schema: schema, ...type } = nodeType();
  const tools = { type: "array", items: { type: "string" }, default: ["lookup", "read"] };
  const brings = { ...schema, properties: { tools } };
  server.use(answer("get", "/agents/node-types", [{ ...type, settings_schema: brings }]));
  const { user } = openEditor();

  expect(await screen.findByText("lookup, read")).toBeVisible();
  expect(screen.getByRole("link", { name: "Environments" })).toHaveAttribute(
    "href",
    "/environments",
  );
  await user.type(screen.getByRole("combobox", { name: "Tools" }), "mine{Enter}");

  await waitFor(() =>
    expect(newest()).toMatchObject({ nodes: [{ settings: { tools: ["mine"] } }, {}] }),
  );
  expect(screen.queryByText("lookup, read")).not.toBeInTheDocument();
});

test("a note of several lines, as of an import, stands above the nodes", async () => {
  serveEditor();
  const note = "Imported. Check these:\n- line 3: left out.";
  const version = agentVersion({ id: uuid(310), note });
  server.use(answer("get", `/agents/${AGENT}`, agentDetail({ id: AGENT, versions: [version] })));
  openEditor();

  expect(await screen.findByText("Note of v1")).toBeVisible();
  expect(screen.getByText(/- line 3: left out\./)).toBeVisible();
});

test("a function is begun and has a form with its inputs and outputs", async () => {
  const { newest } = serveEditor(
    draft({ spec: { ...SPEC, nodes: [{ type: "builders.LLMFunctionNode", settings: {} }] } }),
  );
  server.use(
    answer("get", "/agents/node-types", [
      nodeType({
        type: "builders.LLMFunctionNode",
        settings_schema: {
          type: "object",
          properties: { template_name: { type: "string" }, input_refs: { type: "array" } },
        },
        function_schema: {
          type: "object",
          properties: {
            desc: { type: "string" },
            inputs: { type: "array", items: NAMED },
            outputs: { type: "array", items: NAMED },
          },
        },
      }),
    ]),
  );
  const { user } = openEditor();

  await user.click(await screen.findByRole("button", { name: "Write function" }));
  const form = within(await screen.findByRole("group", { name: "Function" }));
  const [input, output] = form.getAllByRole("textbox", { name: /^name/ });
  expect(input).toHaveValue("question");
  expect(output).toHaveValue("answer");
  await user.type(form.getByRole("textbox", { name: /^desc/ }), " Briefly.");

  await waitFor(() =>
    expect(newest()).toMatchObject({
      templates: {
        LLMFunctionNode_function: {
          desc: "Answer the question. Briefly.",
          inputs: [{ type: "input", name: "question" }],
        },
      },
      nodes: [{ settings: { input_refs: [{ kind: "user" }] } }],
    }),
  );
});

const NAMED = {
  type: "object",
  properties: { name: { type: "string" }, type: { type: "string" } },
};
