import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import { AgentPage } from "@/features/agents/AgentPage";
import { AgentsPage } from "@/features/agents/AgentsPage";
import { answer, record, refuse } from "@/testing/answers";
import { agentDetail, agentRow, agentVersion, model, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

beforeEach(() => server.use(answer("get", "/models", [model()])));

const openAgent = (query = "") =>
  renderScreen({
    path: "/agents/:agentId",
    element: <AgentPage />,
    at: `/agents/${uuid(300)}${query}`,
  });

test("an agent shows its members, nodes, prompts, models and tools", async () => {
  server.use(answer("get", `/agents/${uuid(300)}`, agentDetail()));
  openAgent();

  expect(await screen.findByText("search_helper")).toBeVisible();
  expect(screen.getByText("Node plan")).toBeVisible();
  expect(screen.getByText("Prompt system")).toBeVisible();
  expect(screen.getByText("script:analyst")).toBeVisible();
  expect(screen.getByText("get_price")).toBeVisible();
});

test("an older version is shown by the address, and started as such", async () => {
  const versions = [agentVersion({ id: uuid(311), number: 2 }), agentVersion()];
  const { handler, requests } = record(
    "post",
    "/tapes",
    { tape_id: uuid(5), job_id: uuid(6) },
    201,
  );
  server.use(
    answer("get", `/agents/${uuid(300)}`, agentDetail({ versions, latest_version_id: uuid(311) })),
    handler,
  );
  const { user, address } = openAgent("?v=1");

  await user.type(await screen.findByRole("textbox", { name: "First message" }), "Hello");
  await user.click(screen.getByRole("button", { name: "Start with version 1" }));

  await waitFor(() => expect(address()).toBe(`/t/${uuid(5)}`));
  expect(requests[0]?.body).toEqual({
    agent_version_id: uuid(310),
    message: "Hello",
    model_id: null,
  });
});

test("a refused start says why and keeps the message", async () => {
  server.use(
    answer("get", `/agents/${uuid(300)}`, agentDetail()),
    refuse("post", "/tapes", "There is no model named 'mini'; add it under Models."),
  );
  const { user } = openAgent();

  await user.type(await screen.findByRole("textbox", { name: "First message" }), "Hello");
  await user.keyboard("{Control>}{Enter}{/Control}");

  expect(await screen.findByText(/add it under Models/)).toBeVisible();
  expect(screen.getByRole("textbox", { name: "First message" })).toHaveValue("Hello");
});

test("agents that ship and are not here yet can be added", async () => {
  const spec = agentVersion().spec;
  const { handler, requests } = record("post", "/agents", agentDetail({ id: uuid(7) }), 201);
  server.use(
    answer("get", "/agents", [agentRow({ name: "chat" })]),
    answer("get", "/gallery", [
      { name: "chat", description: "", spec: { ...spec, name: "chat" } },
      { name: "analyst", description: "", spec },
    ]),
    handler,
  );
  const { user, address } = renderScreen({ path: "/agents", element: <AgentsPage /> });

  const add = await screen.findByRole("button", { name: "Add analyst" });
  expect(screen.queryByRole("button", { name: "Add chat" })).not.toBeInTheDocument();
  await user.click(add);

  await waitFor(() => expect(address()).toBe(`/agents/${uuid(7)}`));
  expect(requests[0]?.body).toEqual({ spec });
});
