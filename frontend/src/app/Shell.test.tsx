import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { createMemoryRouter, RouterProvider } from "react-router";

import { SAMPLE_PROJECT } from "@/api/projects";
import { createQueryClient } from "@/api/queryClient";
import { Shell } from "@/app/Shell";
import { reportConnection, useConnection } from "@/lib/connection";
import { answer, record, refuse } from "@/testing/answers";
import { agentRow, job, session, tapeRow, uuid } from "@/testing/builders";
import { server } from "@/testing/server";
import { Look } from "@/ui/Look";

beforeEach(() => {
  server.use(
    answer("get", "/session", session({ project: "Default", has_accounts: false })),
    answer("get", "/jobs", { items: [job()], next: null }),
    answer("get", "/agents", [agentRow()]),
    answer("get", "/queues", { items: [], next: null }),
    ...["/datasets/names", "/batches", "/models"].map((path) => answer("get", path, [])),
    ...PAGED.map((path) => answer("get", path, { items: [], next: null })),
    answer("get", "/environments", { items: [] }),
  );
});

/** Lists that the palette asks for once somebody types. */
const PAGED = [
  "/sweeps",
  "/suites",
  "/training-sets",
  "/finetunes",
  "/adapters",
  "/distillations",
  "/studies",
];

const QUEUE = {
  id: uuid(7),
  name: "Turns",
  rubric_name: "Pass or fail",
  item_count: 3,
  done_count: 1,
};

function open(at = "/tapes") {
  const router = createMemoryRouter(
    [{ element: <Shell />, children: [{ path: "*", element: <input aria-label="Field" /> }] }],
    { initialEntries: [at] },
  );
  const queries = createQueryClient();
  render(
    <Look>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </Look>,
  );
  return { user: userEvent.setup(), path: () => router.state.location.pathname, queries };
}

test("the rail leads everywhere and says where one is and what runs", async () => {
  open();

  expect(screen.getByRole("link", { name: "Tapes" })).toHaveAttribute("aria-current", "page");
  expect(screen.getByRole("link", { name: "Agents" })).toHaveAttribute("href", "/agents");
  expect(await screen.findByLabelText("1 active")).toBeVisible();
});

test("work that no worker takes is told on every page, with what to do", async () => {
  const waiting = [1, 2].map((n) => job({ id: uuid(n), state: "queued", unheard_queue: "agents" }));
  server.use(answer("get", "/jobs", { items: [job(), ...waiting], next: null }));
  open();

  expect(await screen.findByText(/2 jobs queued: no worker listens to agents\./)).toBeVisible();
  expect(screen.getByText("manage.py doctor")).toBeVisible();
});

test("g and a letter go to a place, but not while typing", async () => {
  const { user, path } = open();

  await user.keyboard("gm");
  expect(path()).toBe("/models");

  await user.type(screen.getByRole("textbox", { name: "Field" }), "gr");
  expect(path()).toBe("/models");
});

test("? shows the keys, and Escape gives the focus back", async () => {
  const { user } = open();

  await user.keyboard("?");
  expect(await screen.findByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  expect(screen.getByText("Go to models")).toBeVisible();

  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByText("Go to models")).not.toBeInTheDocument());
});

test("the palette finds tapes on the server and opens one", async () => {
  const { handler, requests } = record("get", "/tapes", { items: [tapeRow()], next: null });
  server.use(handler);
  const { user, path } = open();

  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("textbox", { name: "Search" }), "17");
  await waitFor(() => expect(requests.at(-1)?.url.searchParams.get("q")).toBe("text:17"));
  await user.click(await screen.findByText("What is 17 * 23?"));

  expect(path()).toBe(`/t/${uuid(1)}`);
});

test("the palette does what the screen in sight can do, and finds agents", async () => {
  server.use(answer("get", "/tapes", { items: [], next: null }));
  const { user, path } = open();

  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("textbox", { name: "Search" }), "show keyboard{Enter}");
  expect(await screen.findByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());

  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("textbox", { name: "Search" }), "analyst");
  await user.click(await screen.findByText("Answers questions about prices."));
  expect(path()).toBe(`/agents/${agentRow().id}`);
});

test("the palette finds whatever has a name, under its place in the rail", async () => {
  const sweep = { job_id: uuid(70), name: "Two versions" };
  server.use(
    answer("get", "/tapes", { items: [], next: null }),
    answer("get", "/datasets/names", [{ id: uuid(60), name: "Version notes", has_tape: false }]),
    answer("get", "/sweeps", { items: [sweep], next: null }),
  );
  const { user, path } = open();

  await user.keyboard("{Control>}k{/Control}");
  const palette = await screen.findByRole("textbox", { name: "Search" });
  await user.type(palette, "version");
  expect(await screen.findByText("Version notes")).toBeVisible();
  expect(screen.getByText("Dataset")).toBeVisible();
  expect(screen.getByText("Sweep")).toBeVisible();
  await user.click(screen.getByText("Two versions"));

  expect(path()).toBe(`/evaluation/${uuid(70)}`);
});

test("the palette opens a queue by its name, ready to be answered", async () => {
  server.use(
    answer("get", "/tapes", { items: [], next: null }),
    answer("get", "/session", session()),
    answer("get", "/queues", { items: [QUEUE], next: null }),
  );
  const { user, path } = open();

  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("textbox", { name: "Search" }), "annotate: open");
  await screen.findByText("Annotate: open queue Turns");
  expect(screen.getByText("Pass or fail, 1 of 3 items done")).toBeVisible();
  await user.keyboard("{Enter}");

  await waitFor(() => expect(path()).toBe(`/queues/${uuid(7)}/annotate`));
});

test("the tour waits for its first step, and can be left and gone on with", async () => {
  window.localStorage.clear();
  window.sessionStorage.clear();
  const inSample = session({ project_id: SAMPLE_PROJECT });
  server.use(answer("get", "/tapes", { items: [], next: null }));
  const { user, path, queries } = open("/agents");

  await user.click(screen.getByRole("button", { name: "Help" }));
  await user.click(await screen.findByRole("menuitem", { name: "Take the tour" }));
  const first = await screen.findByRole("dialog", { name: /From a failure/ });
  expect(within(first).getByRole("button", { name: "Open the sample project" })).toBeVisible();

  act(() => void queries.setQueryData(["session"], inSample));
  const second = await screen.findByRole("dialog", { name: "Open the failed tape" });
  await waitFor(() => expect(path()).toBe("/tapes"));
  expect(await within(second).findByText(/no longer in the sample project/)).toBeVisible();
  second.focus();
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();

  await user.click(screen.getByRole("button", { name: "Help" }));
  await user.click(await screen.findByRole("menuitem", { name: "Continue the tour" }));
  expect(await screen.findByRole("dialog", { name: "Open the failed tape" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Leave the tour" }));
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

test("a lost connection is said, and taken back", () => {
  open();

  act(() => reportConnection("job 1", false));
  expect(screen.getByText(/Not connected since/)).toBeVisible();

  act(() => reportConnection("job 1", true));
  expect(screen.queryByText(/Not connected since/)).not.toBeInTheDocument();
});

test("who can only view finds nothing in the rail that would be refused", async () => {
  server.use(answer("get", "/session", session({ role: "viewer" })));
  const { user, path } = open();

  await waitFor(() =>
    expect(screen.queryByRole("link", { name: "Upload" })).not.toBeInTheDocument(),
  );
  expect(screen.getByRole("link", { name: "Agents" })).toBeVisible();
  await user.keyboard("gu");
  expect(path()).toBe("/tapes");
});

test("who opens a page for writing and can only view is told so", async () => {
  server.use(answer("get", "/session", session({ role: "viewer" })));
  open("/queues/add");

  expect(await screen.findByText("You can only view this project")).toBeVisible();
  expect(screen.queryByRole("textbox", { name: "Field" })).not.toBeInTheDocument();
});

test("who is removed from the project is told so on every page", async () => {
  const gone = { code: "not_a_member", message: "You are not a member of it.", details: {} };
  server.use(answer("get", "/jobs", gone, 404));
  open();

  expect(
    await screen.findByRole("heading", { name: "You are not in this project", level: 2 }),
  ).toBeVisible();
  expect(screen.getByRole("button", { name: "Go to another project" })).toBeVisible();
  act(() => useConnection.setState({ isProjectLost: false }));
});

test("the rail names the project and offers the others, by keyboard too", async () => {
  const own = {
    id: uuid(9),
    name: "Default",
    role: "owner" as const,
    archived_at: null,
    created_at: "2026-01-01T00:00:00Z",
  };
  const other = { ...own, id: uuid(8), name: "Another" };
  const several = { project: "Default", project_id: own.id, projects: [other, own] };
  server.use(answer("get", "/session", session(several)));
  const { user } = open();

  (await screen.findByRole("button", { name: "Project: Default" })).focus();
  await user.keyboard("{Enter}");

  expect(await screen.findByRole("menuitemradio", { name: /Default/ })).toBeChecked();
  expect(screen.getByRole("menuitemradio", { name: /Another/ })).not.toBeChecked();
  expect(screen.getByRole("menuitem", { name: "All projects" })).toHaveAttribute(
    "href",
    "/projects",
  );
  expect(new URLSearchParams(window.location.search).get("project")).toBe(own.id);
});

test("the sample project is offered outside of it, and says why it did not open", async () => {
  const outside = session({ project: "Default", project_id: uuid(9) });
  server.use(
    answer("get", "/session", outside),
    refuse("post", "/projects/sample", "The disk is full."),
  );
  const { user } = open();

  await user.click(await screen.findByRole("button", { name: "Project: Default" }));
  await user.click(await screen.findByRole("menuitem", { name: "Look around a sample project" }));

  expect(await screen.findByText("The disk is full.")).toBeVisible();
});

test("whoever is in the sample project is not offered it", async () => {
  server.use(answer("get", "/session", session({ project: "Sample", project_id: SAMPLE_PROJECT })));
  const { user } = open();

  await user.click(await screen.findByRole("button", { name: "Project: Sample" }));

  expect(await screen.findByRole("menuitem", { name: "All projects" })).toBeVisible();
  expect(screen.queryByRole("menuitem", { name: /sample project/ })).not.toBeInTheDocument();
});

test("projects are in the settings, and people where there are accounts", async () => {
  server.use(answer("get", "/session", session({ has_accounts: true })));
  const { user, path } = open();

  await user.click(screen.getByRole("button", { name: "Settings" }));
  expect(await screen.findByRole("menuitem", { name: "Projects" })).toBeVisible();
  await user.click(await screen.findByRole("menuitem", { name: "People" }));

  expect(path()).toBe("/people");
});
