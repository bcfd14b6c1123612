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

test("YAML that is refused says why and stays", async () => {
  server.use(refuse("post", "/agents/import", "The file has an anchor in line 2.", 422));
  const { user } = await openForm();

  await user.click(screen.getByRole("radio", { name: "YAML" }));
  await user.type(screen.getByRole("textbox", { name: "YAML" }), "name: &a x");
  await user.click(screen.getByRole("button", { name: "Create and edit" }));

  expect(await screen.findByText("The file has an anchor in line 2.")).toBeVisible();
  expect(screen.getByRole("textbox", { name: "YAML" })).toHaveValue("name: &a x");
});
