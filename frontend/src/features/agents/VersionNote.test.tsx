import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

import { VersionNote } from "@/features/agents/VersionNote";
import { answer, record } from "@/testing/answers";
import { agentVersion, session, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

function showNote() {
  const version = agentVersion({ id: uuid(310), number: 2, note: "Shorter" });
  const changed = record("put", `/agents/versions/${uuid(310)}/note`, version);
  server.use(answer("get", "/session", session()), changed.handler);
  return { ...renderScreen({ path: "/", element: <VersionNote version={version} /> }), changed };
}

const bodies = (requests: readonly { body: unknown }[]) => requests.map(({ body }) => body);

test("a note is changed by keyboard, and that is undone", async () => {
  const { user, changed } = showNote();
  (await screen.findByRole("button", { name: "Change the note of v2" })).focus();

  await user.keyboard("{Enter}");
  await user.keyboard(" answers{Shift>}{Enter}{/Shift}that were better{Enter}");
  await waitFor(() =>
    expect(screen.getByRole("button", { name: "Change the note of v2" })).toHaveFocus(),
  );
  await user.click(await screen.findByRole("button", { name: "Undo" }));

  await waitFor(() =>
    expect(bodies(changed.requests)).toEqual([
      { note: "Shorter answers\nthat were better" },
      { note: "Shorter" },
    ]),
  );
});

test("Escape leaves a note as it is", async () => {
  const { user, changed } = showNote();
  await user.click(await screen.findByRole("button", { name: "Change the note of v2" }));

  await user.keyboard(" and longer{Escape}");

  expect(await screen.findByText("Shorter")).toBeVisible();
  expect(changed.requests).toEqual([]);
});
