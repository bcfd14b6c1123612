import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import type { Project } from "@/api/types";
import { ProjectsPage } from "@/features/projects/ProjectsPage";
import { answer, record, refuse } from "@/testing/answers";
import { session, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const project = (part: Partial<Project> = {}): Project => ({
  id: uuid(9),
  name: "Ours",
  role: "owner",
  created_at: "2026-11-20T10:00:00Z",
  archived_at: null,
  ...part,
});

const OTHERS = project({ id: uuid(8), name: "Theirs", role: "viewer" });
const OLD = project({ id: uuid(7), name: "Old", archived_at: "2026-11-20T10:00:00Z" });

beforeEach(() => {
  server.use(
    answer("get", "/session", session()),
    answer("get", "/projects", { items: [project(), OTHERS, OLD] }),
  );
});

const open = () => renderScreen({ path: "/projects", element: <ProjectsPage /> });

test("those that are archived stand apart, and owners alone change one", async () => {
  open();

  const current = await screen.findByRole("table", { name: "Projects" });
  const archived = screen.getByRole("table", { name: "Archived projects" });
  expect(await within(current).findByRole("row", { name: /Ours \(this one\)/ })).toBeVisible();
  expect(within(current).getByRole("button", { name: "Rename Ours" })).toBeVisible();
  expect(within(current).getByRole("button", { name: "Open Theirs" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Rename Theirs" })).not.toBeInTheDocument();
  expect(within(archived).getByRole("button", { name: "Restore Old" })).toBeVisible();
});

test("a project is made by its name", async () => {
  const made = record("post", "/projects", project({ name: "New" }), 201);
  server.use(made.handler);
  const { user } = open();

  await user.click(await screen.findByRole("button", { name: "New project" }));
  await user.type(await screen.findByRole("textbox", { name: "Name" }), " New {Enter}");

  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(made.requests.map(({ body }) => body)).toEqual([{ name: "New" }]);
});

test("a name that is taken keeps the form and says so", async () => {
  server.use(refuse("patch", `/projects/${uuid(9)}`, "A project 'Theirs' already exists."));
  const { user } = open();

  await user.click(await screen.findByRole("button", { name: "Rename Ours" }));
  const field = await screen.findByRole("textbox", { name: "Name" });
  await user.clear(field);
  await user.type(field, "Theirs{Enter}");

  expect(await screen.findByRole("alert")).toHaveTextContent("already exists");
  expect(field).toHaveValue("Theirs");
});

test("archiving asks once more, and bringing back does not", async () => {
  const archived = record("patch", `/projects/${uuid(9)}`, project());
  const back = record("patch", `/projects/${uuid(7)}`, OLD);
  server.use(archived.handler, back.handler);
  const { user } = open();

  await user.click(await screen.findByRole("button", { name: "Archive Ours" }));
  await user.click(await screen.findByRole("button", { name: "Archive" }));
  await user.click(screen.getByRole("button", { name: "Restore Old" }));

  await waitFor(() =>
    expect(back.requests.map(({ body }) => body)).toEqual([{ is_archived: false }]),
  );
  expect(archived.requests.map(({ body }) => body)).toEqual([{ is_archived: true }]);
});
