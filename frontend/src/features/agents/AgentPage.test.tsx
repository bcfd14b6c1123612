import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { PinnedSuite, Readiness } from "@/api/types";
import { AgentPage } from "@/features/agents/AgentPage";
import { AgentsPage } from "@/features/agents/AgentsPage";
import { listenForKeys } from "@/lib/keys";
import { answer, record, refuse } from "@/testing/answers";
import { agentDetail, agentRow, agentVersion, model, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const PUBLISHED = `/agents/${uuid(300)}/publications`;

let stopKeys: () => void;
afterEach(() => stopKeys());
beforeEach(() => {
  stopKeys = listenForKeys();
  server.use(
    answer("get", "/models", [model()]),
    answer("get", `/agents/${uuid(300)}/suites`, []),
    answer("get", "/suites", { items: [], next: null }),
    answer("get", `/agents/versions/${uuid(310)}/readiness`, ready()),
    answer("get", `/agents/versions/${uuid(311)}/readiness`, ready()),
    answer("get", `/agents/versions/${uuid(310)}/plain-copy`, NO_CODE),
    answer("get", `/agents/versions/${uuid(311)}/plain-copy`, NO_CODE),
  );
});

const NO_CODE = { has_code: false, spec: null, code: [] };

function ready(part: Partial<Readiness> = {}): Readiness {
  return { version_id: uuid(310), number: 1, suites: [], sentence: "", ...part };
}

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

test("environments are named in their order, with or without settings", async () => {
  const version = agentVersion();
  const environment = [{ type: "shell", settings: { root: "/srv" } }, "", "analyst_tools"];
  const versions = [{ ...version, spec: { ...version.spec, environment } }];
  server.use(answer("get", `/agents/${uuid(300)}`, agentDetail({ versions })));
  openAgent();

  expect(await screen.findByText("shell, analyst_tools")).toBeVisible();
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
    answer(
      "get",
      `/agents/${uuid(300)}`,
      agentDetail({ versions, latest_version_id: uuid(311), default_version_id: uuid(311) }),
    ),
    handler,
  );
  const { user, address } = openAgent("?v=1");

  await user.type(await screen.findByRole("textbox", { name: "First message" }), "Hello");
  await user.click(screen.getByRole("combobox", { name: "Reasoning effort" }));
  await user.click(await screen.findByRole("option", { name: "low" }));
  await user.click(screen.getByRole("button", { name: "Start with version 1" }));

  await waitFor(() => expect(address()).toBe(`/t/${uuid(5)}`));
  expect(requests[0]?.body).toMatchObject({
    agent_version_id: uuid(310),
    message: "Hello",
    model_id: null,
    parameters: { reasoning_effort: "low" },
    is_stepping: false,
  });
});

test("a version is compared with the one before it on a dataset, by a sweep", async () => {
  const versions = [agentVersion({ id: uuid(311), number: 2 }), agentVersion()];
  server.use(
    answer("get", `/agents/${uuid(300)}`, agentDetail({ versions })),
    answer("get", "/datasets", {
      items: [{ id: uuid(9), name: "hard ones", tape_count: 12 }],
      next: null,
    }),
  );
  const { user } = openAgent();

  await user.click(await screen.findByRole("button", { name: "Compare v2 with v1 on a dataset" }));

  const item = await screen.findByRole("menuitem", { name: "hard ones 12 tasks" });
  const asked = new URL(item.getAttribute("href") ?? "", "http://studio").searchParams;
  expect(asked.get("q")).toBe('dataset:"hard ones"');
  expect(asked.get("agents")).toBe(`${uuid(310)},${uuid(311)}`);
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

test("an agent that ships is tried with the message that ships with it", async () => {
  const version = agentVersion();
  const shipped = { description: "", spec: version.spec, first_message: "What is 6 * 7?" };
  server.use(
    answer("get", `/agents/${uuid(300)}`, agentDetail({ versions: [version] })),
    answer("get", "/gallery", [{ ...shipped, name: version.spec.name }]),
  );
  const { user } = openAgent();

  await user.click(await screen.findByRole("button", { name: "Fill in an example" }));

  const field = screen.getByRole("textbox", { name: "First message" });
  expect(field).toHaveValue("What is 6 * 7?");
  expect(field).toHaveFocus();
  expect(screen.queryByRole("button", { name: "Fill in an example" })).toBeNull();
});

test("agents that ship and are not here yet can be added", async () => {
  const spec = agentVersion().spec;
  const { handler, requests } = record("post", "/agents", agentDetail({ id: uuid(7) }), 201);
  server.use(
    answer("get", "/agents", [agentRow({ name: "chat" })]),
    answer("get", "/agents/use", []),
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

const smoke: PinnedSuite = {
  dataset_id: uuid(20),
  name: "smoke",
  is_deleted: false,
  scores: [1, 2].map((number) => ({
    version_id: uuid(309 + number),
    number,
    sweep_id: uuid(30 + number),
    letter: "A",
    score: {
      estimate: { value: number / 2, low: 0.2, high: 1, count: 4 },
      method: "wilson",
      tasks: 4,
      clusters: 4,
      missing: 0,
      left_out: 0,
    },
    passed_count: 2 * number,
    failed_count: 4 - 2 * number,
    missing_count: 0,
  })),
};

test("an agent without pinned suites says how to get a score over versions", async () => {
  server.use(answer("get", `/agents/${uuid(300)}`, agentDetail()));
  openAgent();

  expect(await screen.findByText(/No suite is pinned/)).toBeVisible();
});

test("each version on a pinned suite is a point that opens its sweep", async () => {
  server.use(
    answer("get", `/agents/${uuid(300)}`, agentDetail()),
    answer("get", `/agents/${uuid(300)}/suites`, [smoke]),
  );
  openAgent();

  const point = await screen.findByRole("link", { name: "v2: 100 % (20–100 %)" });
  expect(point).toHaveAttribute("href", `/evaluation/${uuid(32)}`);
  expect(screen.getByRole("link", { name: "v1" })).toHaveAttribute(
    "href",
    `/evaluation/${uuid(31)}`,
  );
});

test("a version whose suite has not passed is not published, but by an owner anyway", async () => {
  const unmet = {
    test_id: uuid(50),
    name: "Spoons",
    result: "fail" as const,
    reason: "-1 is not 7.",
    tape_id: uuid(51),
  };
  const suite = {
    dataset_id: uuid(20),
    name: "smoke",
    is_deleted: false,
    test_count: 2,
    passed_count: 1,
    open_tests: [unmet],
    sentence: "Suite 'smoke': 1 of 2 tests passed; failed: 'Spoons'.",
  };
  const { handler, requests } = record("post", PUBLISHED, {}, 201);
  server.use(
    answer("get", `/agents/${uuid(300)}`, agentDetail()),
    answer(
      "get",
      `/agents/versions/${uuid(310)}/readiness`,
      ready({ suites: [suite], sentence: suite.sentence }),
    ),
    handler,
  );
  const { user } = openAgent();

  expect(await screen.findByText("1 of 2 passed")).toBeVisible();
  expect(screen.getByRole("link", { name: "Spoons" })).toHaveAttribute("href", `/t/${uuid(51)}`);
  expect(screen.getByRole("button", { name: "Publish v1" })).toBeDisabled();
  await user.click(await screen.findByRole("button", { name: "Anyway" }));
  await user.click(await screen.findByRole("button", { name: "Publish anyway" }));

  await waitFor(() => expect(requests[0]?.body).toEqual({ version_id: uuid(310), anyway: true }));
});

test("versions show their note and who saved them, and each can be exported", async () => {
  const versions = [
    agentVersion({ id: uuid(311), number: 2, note: "Shorter answers", saved_by: "ada" }),
    agentVersion(),
  ];
  server.use(answer("get", `/agents/${uuid(300)}`, agentDetail({ versions })));
  openAgent();

  expect(await screen.findByText("Shorter answers")).toBeVisible();
  expect(screen.getByText("ada")).toBeVisible();
  expect(screen.getByRole("link", { name: "Export YAML of v2" })).toHaveAttribute(
    "href",
    expect.stringContaining(`/api/v1/agents/versions/${uuid(311)}/yaml`),
  );
  expect(screen.getByRole("link", { name: "Edit" })).toHaveAttribute(
    "href",
    `/agents/${uuid(300)}/edit`,
  );
});

/** Version 2 is published, version 1 was before it. */
function agentOfTwo() {
  const versions = [agentVersion({ id: uuid(311), number: 2 }), agentVersion()];
  return agentDetail({
    versions,
    numbered_versions: versions.map(({ id, number }) => ({ id, number })),
    latest_version_id: uuid(311),
    default_version_id: uuid(311),
    published_version: 2,
    publications: [2, 1].map((number) => ({
      id: uuid(320 + number),
      version_id: uuid(309 + number),
      number,
      published_by: number === 2 ? "ada" : "max",
      created_at: "2026-01-02T12:00:00Z",
      despite: "",
    })),
  });
}

const DIFF = {
  fields: [{ path: "templates.system", op: "changed", old: "A", new: "B", words: null }],
};

test("an earlier version is rolled back to, which says what differs and can be undone", async () => {
  const { handler, requests } = record("post", PUBLISHED, {}, 201);
  server.use(
    answer("get", `/agents/${uuid(300)}`, agentOfTwo()),
    answer("get", "/agents/diff", DIFF),
    handler,
  );
  const { user } = openAgent();

  expect(await screen.findByText("agent:analyst@published")).toBeVisible();
  await user.click(screen.getByText("Published before", { selector: "summary" }));
  expect(screen.getByText(/^v1 by max/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Roll back to v1…" }));
  const dialog = await screen.findByRole("dialog", { name: "Roll back to v1 of analyst" });
  expect(await within(dialog).findByRole("link", { name: "templates.system" })).toHaveAttribute(
    "href",
    `/agents/${uuid(300)}/diff?a=2&b=1`,
  );
  await user.click(within(dialog).getByRole("button", { name: "Roll back to v1" }));

  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() =>
    expect(requests.map(({ body }) => body)).toEqual([
      { version_id: uuid(310), anyway: false },
      { version_id: uuid(311), anyway: false },
    ]),
  );
});

test("the key P opens the dialog for the version that is shown", async () => {
  server.use(
    answer("get", `/agents/${uuid(300)}`, agentOfTwo()),
    answer("get", "/agents/diff", DIFF),
  );
  const { user } = openAgent("?v=1");
  await screen.findByRole("button", { name: "Roll back to v1" });

  await user.keyboard("P");

  const dialog = await screen.findByRole("dialog", { name: "Roll back to v1 of analyst" });
  await waitFor(() =>
    expect(within(dialog).getByRole("button", { name: "Roll back to v1" })).toHaveFocus(),
  );
});

test("an earlier version becomes the draft from which the next one is saved", async () => {
  const { handler, requests } = record("put", `/agents/${uuid(300)}/draft`, {});
  server.use(
    answer("get", `/agents/${uuid(300)}`, agentOfTwo()),
    answer("get", `/agents/${uuid(300)}/draft`, { revision: 4 }),
    handler,
  );
  const { user, address } = openAgent();

  await user.click(await screen.findByRole("button", { name: "Edit from v1" }));

  await waitFor(() => expect(address()).toBe(`/agents/${uuid(300)}/edit`));
  expect(requests[0]?.body).toEqual({ spec: agentVersion().spec, revision: 4 });
});

test("an agent of a plugin is copied without its classes, under a name of one's own", async () => {
  const { spec } = agentVersion();
  const { handler, requests } = record("post", "/agents", agentDetail({ id: uuid(301) }), 201);
  server.use(
    answer("get", `/agents/${uuid(300)}`, agentDetail()),
    answer("get", `/agents/versions/${uuid(310)}/plain-copy`, { has_code: true, spec, code: [] }),
    handler,
  );
  const { user, address } = openAgent();

  const name = await screen.findByRole("textbox", { name: "Name of the copy" });
  expect(name).toHaveValue(`${spec.name}_copy`);
  await user.clear(name);
  await user.type(name, "mine");
  await user.click(screen.getByRole("button", { name: "Make a copy that I can edit" }));

  await waitFor(() => expect(address()).toBe(`/agents/${uuid(301)}/edit`));
  expect(requests[0]?.body).toMatchObject({ spec: { name: "mine", nodes: spec.nodes } });
});

test("where only code decides, the page says which node, in which file", async () => {
  const message = "Node 'plan' has code of its own: make_prompt.";
  const code = [{ path: "/nodes/0", source: "mine/nodes.py, line 7", message }];
  server.use(
    answer("get", `/agents/${uuid(300)}`, agentDetail()),
    answer("get", `/agents/versions/${uuid(310)}/plain-copy`, { has_code: true, spec: null, code }),
  );
  openAgent();

  const found = await screen.findByRole("region", { name: "Code of plugins" });
  expect(found).toHaveTextContent(`${message} mine/nodes.py, line 7`);
  expect(screen.queryByRole("button", { name: /^Make a copy/ })).not.toBeInTheDocument();
});
