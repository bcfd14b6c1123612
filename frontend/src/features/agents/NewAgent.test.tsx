import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import { AgentsPage } from "@/features/agents/AgentsPage";
import { answer, record, refuse } from "@/testing/answers";
import { agentDetail, agentRow, agentVersion, model, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const { spec } = agentVersion();

beforeEach(() =>
  server.use(
    answer("get", "/agents", [agentRow({ id: uuid(3), name: "chat" })]),
    answer("get", "/agents/use", []),
    answer("get", "/gallery", [{ name: "analyst", description: "", spec }]),
    answer("get", "/models", []),
    answer("get", "/agents/tools", []),
  ),
);

async function openForm() {
  const opened = renderScreen({ path: "/agents", element: <AgentsPage /> });
  await opened.user.click(await screen.findByRole("button", { name: "New agent" }));
  await screen.findByRole("dialog");
  return opened;
}

test("a blank agent has one node that answers, and opens in the editor", async () => {
  const { handler, requests } = record("post", "/agents", agentDetail({ id: uuid(7) }), 201);
  server.use(handler);
  const { user, address } = await openForm();

  await user.type(screen.getByRole("textbox", { name: "Name" }), "helper");
  await user.click(screen.getByRole("button", { name: "Create and edit" }));

  await waitFor(() => expect(address()).toBe(`/agents/${uuid(7)}/edit`));
  expect(requests[0]?.body).toMatchObject({
    spec: {
      name: "helper",
      llms: { default: { model: "script:stand-in" } },
      nodes: [{ type: "engine.TalkNode", settings: { name: "answer" } }],
    },
  });
});

test("an agent with an instruction and a tool is tried at once", async () => {
  const { handler, requests } = record("post", "/agents", agentDetail({ id: uuid(7) }), 201);
  server.use(handler);
  const { user, address } = await openForm();

  await user.type(screen.getByRole("textbox", { name: "Name" }), "helper");
  const instruction = screen.getByRole("textbox", { name: "Instruction" });
  await user.clear(instruction);
  await user.type(instruction, "Be brief.");
  await user.type(screen.getByRole("combobox", { name: "Tools" }), "orders.find{Enter}");
  await user.click(screen.getByRole("button", { name: "Create and try" }));

  await waitFor(() => expect(address()).toContain(`/agents/${uuid(7)}`));
  expect(address()).not.toContain("edit");
  expect(requests[0]?.body).toMatchObject({
    spec: {
      templates: { system: "Be brief." },
      nodes: [{ settings: { name: "answer", tools: ["orders.find"] } }],
    },
  });
});

test("a blank agent uses the first model of the project, if there is one", async () => {
  const { handler, requests } = record("post", "/agents", agentDetail({ id: uuid(7) }), 201);
  server.use(handler, answer("get", "/models", [model({ name: "local" })]));
  const { user } = await openForm();

  await user.type(screen.getByRole("textbox", { name: "Name" }), "helper");
  await user.click(screen.getByRole("button", { name: "Create and edit" }));

  await waitFor(() =>
    expect(requests[0]?.body).toMatchObject({ spec: { llms: { default: { model: "local" } } } }),
  );
});

test("a name that is taken is refused at once", async () => {
  const { user } = await openForm();

  await user.type(screen.getByRole("textbox", { name: "Name" }), "chat");

  expect(screen.getByText("The project has an agent of this name.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Create and edit" })).toBeDisabled();
});

test("a bundled agent is copied under a name of its own", async () => {
  const { handler, requests } = record("post", "/agents", agentDetail({ id: uuid(7) }), 201);
  server.use(handler);
  const { user, address } = await openForm();

  await user.click(screen.getByRole("radio", { name: "Bundled agent" }));
  await user.click(screen.getByRole("combobox", { name: "Bundled agent" }));
  await user.click(await screen.findByRole("option", { name: "analyst" }));
  await user.click(screen.getByRole("button", { name: "Create and edit" }));

  await waitFor(() => expect(address()).toBe(`/agents/${uuid(7)}/edit`));
  expect(requests[0]?.body).toEqual({ spec: { ...spec, name: "analyst_copy" } });
});

test("a file that is refused says why and stays", async () => {
  server.use(refuse("post", "/agents/import", "The file has an anchor in line 2.", 422));
  const { user } = await openForm();

  await user.click(screen.getByRole("radio", { name: "From a file" }));
  await user.type(screen.getByRole("textbox", { name: "Text of the file" }), "name: &a x");
  await user.click(screen.getByRole("button", { name: "Create and edit" }));

  expect(await screen.findByText("The file has an anchor in line 2.")).toBeVisible();
  expect(screen.getByRole("textbox", { name: "Text of the file" })).toHaveValue("name: &a x");
});

test("of several files, the one that no other names is the agent", async () => {
  const { handler, requests } = record("post", "/agents/import", agentDetail({ id: uuid(7) }), 201);
  server.use(handler);
  const { user, address } = await openForm();
  const files = [
    new File(["name: writer"], "writer.yaml"),
    new File(["sub_agents: [{config_path: writer.yaml}]"], "root_agent.yaml"),
  ];

  await user.click(screen.getByRole("radio", { name: "From a file" }));
  const input = document.querySelector<HTMLInputElement>("input[type=file]");
  if (input !== null) await user.upload(input, files);
  expect(await screen.findByText("root_agent.yaml, with writer.yaml")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Create and edit" }));

  await waitFor(() => expect(address()).toBe(`/agents/${uuid(7)}/edit`));
  expect(requests[0]?.body).toEqual({
    text: "sub_agents: [{config_path: writer.yaml}]",
    path: "root_agent.yaml",
    others: [{ path: "writer.yaml", text: "name: writer" }],
  });
});
