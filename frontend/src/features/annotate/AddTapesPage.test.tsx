import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

import { AddTapesPage } from "@/features/annotate/AddTapesPage";
import { QUEUE } from "@/features/annotate/testing";
import { answer, record, refuse } from "@/testing/answers";
import { session, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const PAIR = { tape_id: uuid(21), other_tape_id: uuid(23), position: null };

function open(paired: object) {
  const added = record("post", `/queues/${uuid(1)}/items`, { added_count: 1 });
  server.use(
    answer("get", "/session", session({ user: "ada" })),
    answer("get", "/queues", { items: [{ ...QUEUE, mode: "pairwise" }], next: null }),
    answer("get", "/queues/people", { items: [] }),
    answer("get", "/rubrics", { items: [] }),
    answer("get", "/rubrics/presets", { items: [] }),
    answer("post", "/queues/pairs", { ...paired }),
    added.handler,
  );
  const state = { tapeIds: [uuid(21), uuid(22), uuid(23)] };
  const at = { pathname: "/queues/add", state };
  return { added, ...renderScreen({ path: "/queues/add", element: <AddTapesPage />, at }) };
}

test("tapes are added in pairs of one task, and those left out are counted", async () => {
  const { user, added } = open({ pairs: [PAIR], left_out: [uuid(22)] });

  expect(await screen.findByText(/^1 pair, each of two tapes of one task/)).toHaveTextContent(
    "1 tape is left out: it has no other tape of the same task here.",
  );
  await user.click(screen.getByRole("button", { name: "Add 1 pair" }));

  await waitFor(() => expect(added.requests).toHaveLength(1));
  expect(added.requests[0]?.body).toEqual({ targets: [PAIR], batch_id: null });
});

test("pairs are added by keyboard: the queue has the focus, and Enter adds them", async () => {
  const { user, added } = open({ pairs: [PAIR], left_out: [] });

  await waitFor(() => expect(screen.getByRole("radio", { name: QUEUE.name })).toHaveFocus());
  await waitFor(() => expect(screen.getByRole("button", { name: "Add 1 pair" })).toBeEnabled());
  await user.keyboard("{Enter}");

  await waitFor(() => expect(added.requests).toHaveLength(1));
  expect(added.requests[0]?.body).toEqual({ targets: [PAIR], batch_id: null });
});

test("tapes that could not be paired are not still being paired", async () => {
  open({ pairs: [], left_out: [] });
  server.use(refuse("post", "/queues/pairs", "The tapes are gone.", 404));

  expect(await screen.findByRole("alert")).toHaveTextContent("The tapes are gone.");
  expect(screen.queryByText(/^Pairing tapes/)).toBeNull();
});

test("tapes of as many tasks cannot be added to a queue of pairs", async () => {
  open({ pairs: [], left_out: [uuid(21), uuid(22), uuid(23)] });

  expect(await screen.findByText(/^No two of these tapes are of one task/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Add 0 pairs" })).toBeDisabled();
});
