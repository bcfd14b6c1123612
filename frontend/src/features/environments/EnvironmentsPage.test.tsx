import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import type { Environment, Environments } from "@/api/environments";
import { EnvironmentsPage } from "@/features/environments/EnvironmentsPage";
import { answer, record, refuse } from "@/testing/answers";
import { job, session, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

function environment(values: Partial<Environment> = {}): Environment {
  return {
    name: "mcp.files",
    kind: "mcp",
    description: "A program on this machine, which workers start.",
    isolation: "",
    health: { state: "unchecked", message: "Not checked in the last week.", checked_at: null },
    can_be_checked: true,
    check_id: null,
    agents: [],
    tools: [],
    tape_count: 0,
    last_failure: null,
    ...values,
  };
}

const USUAL = environment({
  name: "",
  kind: "tools",
  can_be_checked: false,
  health: { state: "ok", message: "There is nothing to check.", checked_at: null },
});

function open(items: Environment[], others: Partial<Environments> = {}) {
  server.use(
    answer("get", "/environments", {
      items,
      tape_count: 500,
      problem: "",
      can_change_servers: false,
      ...others,
    }),
    answer("get", "/jobs", { items: [], next: null }),
  );
  return renderScreen({ path: "/environments", element: <EnvironmentsPage /> });
}

test("a server shows its health, its tools, its agents, and leads to its last failure", async () => {
  open([
    environment({
      health: { state: "warning", message: "A tool has changed.", checked_at: null },
      agents: [{ agent_id: uuid(1), name: "reader", versions: [2] }],
      tape_count: 3,
      tools: [
        {
          name: "read",
          description: "Read a file.",
          is_irreversible: false,
          is_allowed: true,
          changes: ["argument 'secret' is new"],
        },
        {
          name: "delete",
          description: "Delete a file.",
          is_irreversible: true,
          is_allowed: false,
          changes: [],
        },
      ],
      last_failure: {
        message: "There is no such file.",
        tool: "read",
        at: "2026-11-30T08:00:00Z",
        tape_id: uuid(4),
        position: 7,
      },
    }),
    USUAL,
  ]);

  const table = await screen.findByRole("table", { name: "MCP servers" });

  expect(within(table).getByText("Needs attention")).toBeVisible();
  expect(within(table).getByText("on 3 tapes lately")).toBeVisible();
  expect(within(table).getByRole("link", { name: "reader" })).toHaveAttribute(
    "href",
    `/agents/${uuid(1)}`,
  );
  expect(within(table).getByRole("link", { name: "There is no such file." })).toHaveAttribute(
    "href",
    `/t/${uuid(4)}?step=7`,
  );
  fireEvent.click(within(table).getByText("2 tools, 1 allowed, 1 changed"));
  expect(
    within(table).getByText("Changed since it was allowed: argument 'secret' is new."),
  ).toBeVisible();
});

test("a check is started by its name, followed, and its result is read", async () => {
  open([environment()]);
  const checking = job({ id: uuid(5), kind: "environment_check", state: "succeeded" });
  const started = record("post", "/environments/checks", checking, 201);
  const works = { state: "ok", message: "It listed 3 tools in 0.1 s.", checked_at: null } as const;
  const button = await screen.findByRole("button", { name: "Check now: files" });

  server.use(
    started.handler,
    answer("get", `/jobs/${uuid(5)}`, checking),
    answer("get", "/environments", {
      items: [environment({ health: works })],
      tape_count: 0,
      problem: "",
      can_change_servers: false,
    }),
  );
  fireEvent.click(button);

  expect(await screen.findByText("It listed 3 tools in 0.1 s.")).toBeVisible();
  expect(await screen.findByRole("button", { name: "Check now: files" })).toBeVisible();
  expect(started.requests.map(({ body }) => body)).toEqual([{ name: "mcp.files" }]);
});

test("without a server the page says how to add one", async () => {
  open([USUAL]);

  expect(await screen.findByText("There is no MCP server yet. How to add one")).toBeVisible();
  expect(
    screen.getByRole("button", { name: /^Copy python manage.py mcp add files --/ }),
  ).toBeVisible();
  expect(screen.queryByRole("button", { name: /^Check/ })).toBeNull();
});

test("viewers see what there is and start nothing", async () => {
  server.use(answer("get", "/session", session({ role: "viewer" })));
  open([environment()]);

  expect(await screen.findByText("Not checked in the last week.")).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("button", { name: /^Check/ })).toBeNull());
});

test("a file of servers that cannot be read is said beside the rest", async () => {
  open([USUAL], { problem: "mcp.json cannot be read." });

  expect(await screen.findByRole("alert")).toHaveTextContent("mcp.json cannot be read.");
  expect(screen.getByRole("table", { name: "Tools of nodes, and the person" })).toBeVisible();
});

test("a list that cannot be loaded says why", async () => {
  server.use(refuse("get", "/environments", "The database is asleep.", 500));
  renderScreen({ path: "/environments", element: <EnvironmentsPage /> });

  expect(await screen.findByRole("alert")).toHaveTextContent("The database is asleep.");
});
