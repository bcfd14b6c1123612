import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import type { Token } from "@/api/types";
import { TokensPage } from "@/features/tokens/TokensPage";
import { answer, record, refuse } from "@/testing/answers";
import { session, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const token = (part: Partial<Token> = {}): Token => ({
  id: uuid(1),
  name: "nightly export",
  access: "read",
  hint: "tst_Ab12",
  created_at: "2026-11-20T10:00:00Z",
  expires_at: null,
  last_used_at: null,
  ...part,
});

beforeEach(() => {
  server.use(answer("get", "/session", session()));
});

const open = () => renderScreen({ path: "/tokens", element: <TokensPage /> });

test("a token is made by name, access and lifetime, and shown once", async () => {
  const made = record("post", "/tokens", { token: "tst_secret", row: token() }, 201);
  server.use(answer("get", "/tokens", { items: [] }), made.handler);
  const { user } = open();

  const [make] = await screen.findAllByRole("button", { name: "New token" });
  if (make !== undefined) await user.click(make);
  const dialog = await screen.findByRole("dialog", { name: "New access token" });
  await user.type(within(dialog).getByRole("textbox", { name: "Name" }), "nightly export");
  await user.click(within(dialog).getByRole("radio", { name: "Read and write" }));
  await user.click(within(dialog).getByRole("button", { name: "Create token" }));

  expect(await within(dialog).findByText("tst_secret")).toBeVisible();
  expect(within(dialog).getByRole("status")).toHaveTextContent("not shown again");
  expect(made.requests.map(({ body }) => body)).toEqual([
    { name: "nightly export", access: "write", days: 90 },
  ]);
});

test("a token says what it can do, when it ends and when it was used", async () => {
  const expired = token({ id: uuid(2), name: "old", expires_at: "2020-01-01T00:00:00Z" });
  server.use(answer("get", "/tokens", { items: [token({ access: "write" }), expired] }));
  open();

  const [first, second] = (await screen.findAllByRole("row")).slice(1);
  expect(first).toHaveTextContent(/nightly export.*Read and write.*tst_Ab12….*Never.*Never/);
  expect(second).toHaveTextContent(/old.*Read only.*Expired/);
});

test("revoking asks once more", async () => {
  const revoked = record("delete", `/tokens/${uuid(1)}`, null, 204);
  server.use(answer("get", "/tokens", { items: [token()] }), revoked.handler);
  const { user } = open();

  await user.click(await screen.findByRole("button", { name: "Revoke nightly export" }));
  expect(revoked.requests).toEqual([]);
  await user.click(await screen.findByRole("button", { name: "Revoke" }));

  await waitFor(() => expect(revoked.requests).toHaveLength(1));
});

test("what cannot be made says why, and keeps the form", async () => {
  server.use(
    answer("get", "/tokens", { items: [token()] }),
    refuse("post", "/tokens", "You already have a token 'nightly export'."),
  );
  const { user } = open();

  await user.click(await screen.findByRole("button", { name: "New token" }));
  await user.type(await screen.findByRole("textbox", { name: "Name" }), "nightly export");
  await user.keyboard("{Enter}");

  expect(await screen.findByRole("alert")).toHaveTextContent("already");
  expect(screen.getByRole("textbox", { name: "Name" })).toHaveValue("nightly export");
});
