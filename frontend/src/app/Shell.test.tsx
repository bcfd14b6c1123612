import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { createMemoryRouter, RouterProvider } from "react-router";

import { createQueryClient } from "@/api/queryClient";
import { Shell } from "@/app/Shell";
import { reportConnection } from "@/lib/connection";
import { answer, record } from "@/testing/answers";
import { agentRow, job, session, tapeRow, uuid } from "@/testing/builders";
import { server } from "@/testing/server";
import { Look } from "@/ui/Look";

beforeEach(() => {
  server.use(
    answer("get", "/session", session({ project: "Default", has_accounts: false })),
    answer("get", "/jobs", { items: [job()], next: null }),
    answer("get", "/agents", [agentRow()]),
  );
});

function open() {
  const router = createMemoryRouter(
    [{ element: <Shell />, children: [{ path: "*", element: <input aria-label="Field" /> }] }],
    { initialEntries: ["/tapes"] },
  );
  render(
    <Look>
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </Look>,
  );
  return { user: userEvent.setup(), path: () => router.state.location.pathname };
}

test("the rail leads everywhere and says where one is and what runs", async () => {
  open();

  expect(screen.getByRole("link", { name: "Tapes" })).toHaveAttribute("aria-current", "page");
  expect(screen.getByRole("link", { name: "Agents" })).toHaveAttribute("href", "/agents");
  expect(await screen.findByLabelText("1 active")).toBeVisible();
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

test("the tour can be left and gone on with from the help menu", async () => {
  window.localStorage.clear();
  server.use(answer("get", "/tapes", { items: [tapeRow()], next: null }));
  const { user, path } = open();

  await user.click(screen.getByRole("button", { name: "Help" }));
  await user.click(await screen.findByRole("menuitem", { name: "Take the tour" }));
  expect(await screen.findByRole("dialog", { name: /A tape is/ })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Next" }));
  expect(await screen.findByRole("dialog", { name: "One line per step" })).toBeVisible();
  await waitFor(() => expect(path()).toBe(`/t/${uuid(1)}`));

  await user.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Help" }));
  await user.click(await screen.findByRole("menuitem", { name: "Continue the tour" }));
  expect(await screen.findByRole("dialog", { name: "One line per step" })).toBeVisible();
});

test("a lost connection is said, and taken back", () => {
  open();

  act(() => reportConnection("job 1", false));
  expect(screen.getByText(/Connection lost/)).toBeVisible();

  act(() => reportConnection("job 1", true));
  expect(screen.queryByText(/Connection lost/)).not.toBeInTheDocument();
});
