import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import type { Invitation, Member, Session } from "@/api/types";
import { PeoplePage } from "@/features/people/PeoplePage";
import { answer, record, refuse } from "@/testing/answers";
import { session, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const member = (part: Partial<Member> = {}): Member => ({
  user_id: 1,
  name: "ada",
  role: "owner",
  is_you: false,
  last_seen_at: null,
  token_count: 0,
  ...part,
});

const ADA = member({ is_you: true, token_count: 2, last_seen_at: new Date().toISOString() });
const MAX = member({ user_id: 2, name: "max", role: "member" });

const INVITATION: Invitation = {
  id: uuid(5),
  role: "viewer",
  invited_by: "ada",
  created_at: "2026-11-20T10:00:00Z",
  expires_at: "2026-11-27T10:00:00Z",
};

beforeEach(() => {
  server.use(
    answer("get", "/people", { items: [ADA, MAX] }),
    answer("get", "/invitations", { items: [] }),
  );
});

function open(part: Partial<Session> = {}) {
  server.use(answer("get", "/session", session(part)));
  return renderScreen({ path: "/people", element: <PeoplePage /> });
}

test("it says who is here, in which role, with how many tokens, and when they were last seen", async () => {
  open();

  const [ada, max] = (await screen.findAllByRole("row")).slice(1);
  expect(ada).toHaveTextContent(/ada \(you\).*2/);
  expect(max).toHaveTextContent(/max.*Never.*0/);
  expect(screen.getByText("2 people")).toBeVisible();
});

test("an owner makes a link for a role, which is shown once", async () => {
  const made = record("post", "/invitations", { path: "/invite/abc", row: INVITATION }, 201);
  server.use(made.handler);
  const { user } = open();

  await user.click(await screen.findByRole("button", { name: "Invite" }));
  const dialog = await screen.findByRole("dialog", { name: "Invite a person" });
  await user.click(within(dialog).getByRole("radio", { name: "Viewer" }));
  await user.click(within(dialog).getByRole("button", { name: "Create link" }));

  expect(await within(dialog).findByText("http://studio.test/invite/abc")).toBeVisible();
  expect(within(dialog).getByRole("status")).toHaveTextContent("not shown again");
  expect(made.requests.map(({ body }) => body)).toEqual([{ role: "viewer" }]);
});

test("an owner gives another role", async () => {
  const changed = record("patch", "/people/2", null, 204);
  server.use(changed.handler);
  const { user } = open();

  await user.click(await screen.findByRole("combobox", { name: "Role of max" }));
  await user.click(await screen.findByRole("option", { name: "Viewer" }));

  await waitFor(() =>
    expect(changed.requests.map(({ body }) => body)).toEqual([{ role: "viewer" }]),
  );
});

test("removing asks once more; one does not remove oneself", async () => {
  const removed = record("delete", "/people/2", null, 204);
  server.use(removed.handler);
  const { user } = open();

  await user.click(await screen.findByRole("button", { name: "Remove max" }));
  expect(removed.requests).toEqual([]);
  await user.click(await screen.findByRole("button", { name: "Remove" }));

  await waitFor(() => expect(removed.requests).toHaveLength(1));
  expect(screen.queryByRole("button", { name: "Remove ada" })).not.toBeInTheDocument();
});

test("the last owner is told why they cannot leave", async () => {
  server.use(
    refuse("delete", "/membership", "A project needs an owner; make somebody else an owner first."),
  );
  const { user } = open();

  await user.click(await screen.findByRole("button", { name: "Leave project" }));
  await user.click(await screen.findByRole("button", { name: "Leave" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("make somebody else an owner first");
});

test("an open invitation is revoked", async () => {
  const revoked = record("delete", `/invitations/${uuid(5)}`, null, 204);
  server.use(answer("get", "/invitations", { items: [INVITATION] }), revoked.handler);
  const { user } = open();

  await user.click(
    await screen.findByRole("button", { name: "Revoke the invitation of a viewer" }),
  );
  await user.click(await screen.findByRole("button", { name: "Revoke" }));

  await waitFor(() => expect(revoked.requests).toHaveLength(1));
});

test.each(["member", "viewer"] as const)("a %s sees no control of owners", async (role) => {
  const asked = record("get", "/invitations", { items: [INVITATION] });
  server.use(asked.handler);
  open({ role });

  expect(await screen.findByRole("row", { name: /max/ })).toHaveTextContent("Member");
  expect(screen.queryByRole("button", { name: "Invite" })).not.toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Remove max" })).not.toBeInTheDocument();
  expect(screen.queryByRole("combobox")).not.toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Leave project" })).toBeVisible();
  expect(asked.requests).toEqual([]);
});

test("where one person has the studio, it says how others come in", async () => {
  open({ has_accounts: false });

  expect(await screen.findByText("This studio is for one person")).toBeVisible();
  expect(screen.getByText("STUDIO_ACCOUNTS=1")).toBeVisible();
});
