import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { AgentEditorPage } from "@/features/agent-editor/AgentEditorPage";
import { AGENT, draft, serveEditor } from "@/features/agent-editor/testing";
import { listenForKeys } from "@/lib/keys";
import { answer, record, refuse } from "@/testing/answers";
import { agentVersion, session, uuid } from "@/testing/builders";
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
  await user.click(screen.getByRole("button", { name: "Move down" }));
  expect(names()).toEqual(["analyst", "act", "think", "search", "find"]);
  // It is the last one now, so what moves it back has the focus.
  await waitFor(() => expect(screen.getByRole("button", { name: "Move up" })).toHaveFocus());
  await user.click(screen.getByRole("button", { name: "Remove the node" }));
  expect(names()).toEqual(["analyst", "act", "search", "find"]);

  await user.click(screen.getByRole("button", { name: /^Agent analyst/ }));
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

test("an environment is chosen from those that there are, and has its settings", async () => {
  const { newest } = serveEditor();
  const { user } = openEditor("?node=/");

  const environment = await screen.findByRole("combobox", { name: "Environment" });
  expect(environment).toHaveValue("The tools of its nodes, and the person");
  await user.click(environment);
  await user.click(await screen.findByRole("option", { name: /^shelf/ }));
  await user.type(screen.getByRole("textbox", { name: "room" }), "12");
  await waitFor(() =>
    expect(newest()).toMatchObject({
      environment: [{ type: "shelf", settings: { room: "12" } }, ""],
    }),
  );

  await user.click(
    screen.getByRole("checkbox", { name: "Then the tools of its nodes, and the person" }),
  );
  await waitFor(() =>
    expect(newest()).toMatchObject({
      environment: { type: "shelf", settings: { room: "12" } },
    }),
  );

  await user.click(screen.getByRole("combobox", { name: "Environment" }));
  await user.click(await screen.findByRole("option", { name: /^plain/ }));
  await waitFor(() => expect(newest()).toMatchObject({ environment: "plain" }));
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

test("a draft becomes a version with a note, after a look at what it changes", async () => {
  serveEditor();
  const { handler, requests } = record(
    "post",
    `/agents/${AGENT}/draft/save`,
    agentVersion({ id: uuid(311), number: 2 }),
    201,
  );
  server.use(handler);
  const { user } = openEditor();
  await user.type(await screen.findByRole("textbox", { name: "Instruction" }), " Be brief.");
  await screen.findByText("Draft · saved");

  await user.click(screen.getByRole("button", { name: "Save as version…" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText("1 change since version 1")).toBeVisible();
  expect(dialog.getByText(/Be brief/)).toBeVisible();
  await user.type(dialog.getByRole("textbox", { name: "Note" }), "Shorter answers");
  await user.click(dialog.getByRole("button", { name: "Save" }));

  await waitFor(() => expect(requests[0]?.body).toMatchObject({ note: "Shorter answers" }));
  expect(await screen.findByText("Saved as version 2.")).toBeVisible();
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
