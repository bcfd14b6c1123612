import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import type { Environment, ServerTool } from "@/api/environments";
import { EnvironmentsPage } from "@/features/environments/EnvironmentsPage";
import { answer, record, refuse } from "@/testing/answers";
import { job, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const FILES: Environment = {
  name: "mcp.files",
  kind: "mcp",
  description: "A program on this machine, which workers start.",
  isolation: "",
  health: { state: "ok", message: "It listed 2 tools in 0.1 s.", checked_at: null },
  can_be_checked: true,
  check_id: null,
  agents: [],
  tools: [
    {
      name: "read",
      description: "Read a file.",
      is_irreversible: false,
      is_allowed: true,
      changes: [],
    },
  ],
  tape_count: 0,
  last_failure: null,
};

function open(...items: Environment[]) {
  server.use(
    answer("get", "/environments", { items, tape_count: 0, problem: "", can_change_servers: true }),
    answer("get", "/jobs", { items: [], next: null }),
  );
  return renderScreen({ path: "/environments", element: <EnvironmentsPage /> });
}

async function openForm(...items: Environment[]) {
  open(...items);
  fireEvent.click(await screen.findByRole("button", { name: "Add an MCP server" }));
  return screen.findByRole("dialog", { name: "Add an MCP server" });
}

function tool(values: Partial<ServerTool> = {}): ServerTool {
  return {
    served_as: "read",
    name: "read",
    description: "Read a file.",
    is_allowed: true,
    is_irreversible: false,
    digest: "old",
    offered_digest: "old",
    changes: [],
    fields: [],
    ...values,
  };
}

async function openTools(...tools: ServerTool[]) {
  server.use(answer("get", "/environments/servers/files/tools", { items: tools }));
  open(FILES);
  fireEvent.click(await screen.findByRole("button", { name: "Allow tools: files" }));
  return screen.findByRole("dialog", { name: "Tools of files" });
}

const added = (variables: string[] = []) =>
  record("post", "/environments/servers", { names: ["files"], variables }, 201);
const checked = () =>
  record("post", "/environments/checks", job({ id: uuid(5), kind: "environment_check" }), 201);

test("pasted servers are added and checked", async () => {
  const dialog = await openForm();
  const adding = added();
  const checking = checked();
  server.use(adding.handler, checking.handler);

  // The entry alone, without the braces around it.
  fireEvent.change(within(dialog).getByRole("textbox", { name: "JSON" }), {
    target: { value: '"mcpServers": {"files": {"command": "npx"}}' },
  });
  fireEvent.click(within(dialog).getByRole("button", { name: "Add and check" }));

  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(adding.requests.map(({ body }) => body)).toEqual([
    { servers: { mcpServers: { files: { command: "npx" } } } },
  ]);
  expect(checking.requests.map(({ body }) => body)).toEqual([{ name: "mcp.files" }]);
});

test("a command is typed, an argument a line", async () => {
  const dialog = await openForm(FILES);
  const adding = added();
  server.use(adding.handler, checked().handler);

  fireEvent.click(within(dialog).getByRole("radio", { name: "Command" }));
  const type = (name: string, value: string) =>
    fireEvent.change(within(dialog).getByRole("textbox", { name }), { target: { value } });
  type("Name", "files");
  type("Program", "npx");
  type("Arguments", "-y\n@a/files\n/srv/my papers\n");
  fireEvent.click(within(dialog).getByRole("button", { name: "Add and check" }));

  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(adding.requests.map(({ body }) => body)).toEqual([
    {
      servers: {
        mcpServers: { files: { command: "npx", args: ["-y", "@a/files", "/srv/my papers"] } },
      },
    },
  ]);
});

test("values that were not kept are named as variables to set", async () => {
  const dialog = await openForm();
  server.use(added(["GITHUB_TOKEN", "FILES_KEY"]).handler, checked().handler);

  fireEvent.change(within(dialog).getByRole("textbox", { name: "JSON" }), {
    target: { value: '{"mcpServers": {"files": {"command": "a", "env": {"GITHUB_TOKEN": "x"}}}}' },
  });
  fireEvent.click(within(dialog).getByRole("button", { name: "Add and check" }));

  expect(await within(dialog).findByRole("status")).toHaveTextContent(
    "Set GITHUB_TOKEN, FILES_KEY where the studio runs",
  );
  fireEvent.click(within(dialog).getByRole("button", { name: "Done" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("what is no JSON, and what the studio refuses, is a sentence in the form", async () => {
  const dialog = await openForm();
  server.use(refuse("post", "/environments/servers", "Its command seems to hold a key.", 422));
  const text = within(dialog).getByRole("textbox", { name: "JSON" });
  const add = within(dialog).getByRole("button", { name: "Add and check" });

  fireEvent.change(text, { target: { value: "npx files" } });
  fireEvent.click(add);
  expect(await within(dialog).findByRole("alert")).toHaveTextContent("This is not a JSON object.");

  fireEvent.change(text, { target: { value: '{"mcpServers": {}}' } });
  fireEvent.click(add);
  expect(await within(dialog).findByText("Its command seems to hold a key.")).toBeVisible();
});

test("tools are allowed, renamed, and asked about by click", async () => {
  const dialog = await openTools(
    tool(),
    tool({
      served_as: "show.all",
      name: "show.all",
      is_allowed: false,
      is_irreversible: true,
      digest: "all",
      offered_digest: "all",
    }),
  );
  const saving = record("put", "/environments/servers/files/tools", { items: [] });
  server.use(saving.handler);

  fireEvent.click(await within(dialog).findByRole("checkbox", { name: "show.all" }));
  const name = within(dialog).getByRole("textbox", { name: "Name for models: show.all" });
  expect(name).toHaveValue("show_all"); // the server's own is one that models cannot use
  fireEvent.change(name, { target: { value: "show" } });
  fireEvent.click(within(dialog).getByRole("checkbox", { name: "Ask before each call: show.all" }));
  fireEvent.click(within(dialog).getByRole("checkbox", { name: "read" }));
  fireEvent.click(within(dialog).getByRole("button", { name: "Save" }));

  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(saving.requests.map(({ body }) => body)).toEqual([
    { tools: [{ served_as: "show.all", name: "show", is_irreversible: false, digest: "all" }] },
  ]);
});

test("a changed tool shows how, and is only taken over if that is accepted", async () => {
  const dialog = await openTools(
    tool({
      offered_digest: "new",
      changes: ["argument 'secret' is new"],
      fields: [
        {
          path: "parameters.properties.secret",
          op: "added",
          old: null,
          new: { type: "string" },
          words: null,
          is_cut: false,
        },
      ],
    }),
  );
  const saving = record("put", "/environments/servers/files/tools", { items: [] });
  server.use(saving.handler);

  expect(await within(dialog).findByText(/Changed since it was allowed: argument/)).toBeVisible();
  expect(within(dialog).getByText("parameters.properties.secret")).toBeVisible();
  fireEvent.click(within(dialog).getByRole("checkbox", { name: "Accept the change: read" }));
  fireEvent.click(within(dialog).getByRole("button", { name: "Save" }));

  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(saving.requests.map(({ body }) => body)).toEqual([
    { tools: [{ served_as: "read", name: "read", is_irreversible: false, digest: "new" }] },
  ]);
});

test("a tool that changed meanwhile is a sentence, and nothing is lost", async () => {
  const dialog = await openTools(tool());
  server.use(refuse("put", "/environments/servers/files/tools", "It has changed. Look again."));

  fireEvent.click(await within(dialog).findByRole("button", { name: "Save" }));

  expect(await within(dialog).findByText("It has changed. Look again.")).toBeVisible();
  expect(within(dialog).getByRole("checkbox", { name: "read" })).toBeChecked();
});

test("a server is removed once that is confirmed, and its row goes", async () => {
  open(FILES);
  const removing = record("delete", "/environments/servers/files", null, 204);

  fireEvent.click(await screen.findByRole("button", { name: "Remove: files" }));
  const confirm = await screen.findByRole("button", { name: "Remove" });
  expect(removing.requests).toHaveLength(0);
  const none = { items: [], tape_count: 0, problem: "", can_change_servers: true };
  server.use(removing.handler, answer("get", "/environments", none));
  fireEvent.click(confirm);

  expect(await screen.findByText("There is none yet.")).toBeVisible();
  expect(removing.requests).toHaveLength(1);
});
