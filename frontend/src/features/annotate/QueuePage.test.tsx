import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import type { QueueItem } from "@/api/types";
import { QueuePage } from "@/features/annotate/QueuePage";
import { QUEUE } from "@/features/annotate/testing";
import { answer, record } from "@/testing/answers";
import { session, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const said = (number: number, person: string, values: Record<string, unknown>) => ({
  id: uuid(number),
  item_id: uuid(8),
  person,
  person_id: number,
  values,
  score: null,
  seconds: 12,
  note: "",
  answered_at: "2026-01-01T00:00:00Z",
});

const item = (number: number, part: Partial<QueueItem>): QueueItem => ({
  id: uuid(10 + number),
  number,
  tape_id: uuid(20 + number),
  tape_title: `Tape ${number}`,
  other_tape_id: null,
  other_tape_title: "",
  position: null,
  place_count: 2,
  answers: [],
  held_by: [],
  skipped_by: [],
  ...part,
});

const PATH = `/queues/${uuid(1)}`;

function open(...items: QueueItem[]) {
  server.use(
    answer("get", "/session", session({ user: "ada" })),
    answer("get", PATH, QUEUE),
    answer("get", `${PATH}/items`, { items, next: null }),
    answer("get", `${PATH}/progress`, { answered_count: 1, skipped_count: 0, locked: [] }),
    answer("get", `${PATH}/results`, {
      answer_count: 0,
      items: [],
      people: [],
      score: null,
      is_cut: false,
    }),
    answer("get", "/rubrics", {
      items: [
        {
          id: uuid(2),
          name: "Short",
          version: 3,
          version_id: uuid(7),
          rubric: QUEUE.rubric,
          updated_at: "2026-01-01T00:00:00Z",
        },
      ],
    }),
  );
  return renderScreen({ path: "/queues/:queueId", element: <QueuePage />, at: PATH });
}

test("what two people answered to an item unfolds, and says where they differ", async () => {
  const { user } = open(
    item(0, {
      answers: [said(5, "ada", { good: true }), said(6, "bob", { good: false, why: "No source." })],
    }),
  );

  await user.click(await screen.findByRole("button", { name: "ada, bob" }));

  const answers = screen.getByRole("table", { name: "Answers to item 1" });
  expect(within(answers).getByRole("row", { name: "Good? differ Yes No" })).toBeVisible();
  expect(within(answers).getByRole("row", { name: "Why? – No source." })).toBeVisible();
});

test("people who disagree about the outcome are told that it stays", async () => {
  const [good, ...others] = QUEUE.rubric.items;
  if (good?.kind !== "binary") throw new Error("The first question is yes or no.");
  const rubric = { ...QUEUE.rubric, items: [{ ...good, sets_outcome: true }, ...others] };
  const split = [said(5, "ada", { good: true }), said(6, "bob", { good: false })];
  const agreed = [said(5, "ada", { good: true }), said(6, "bob", { good: true })];
  open(item(0, { answers: split }), item(1, { answers: agreed }));
  server.use(answer("get", PATH, { ...QUEUE, rubric }));

  const told = await screen.findAllByText(/people disagree: the outcome of the tape stays/);

  expect(told).toHaveLength(1);
});

test("what one holds oneself can be let go for others, what others hold not", async () => {
  const released = record("post", `${PATH}/items/${uuid(10)}/release`, null, 204);
  const { user } = open(item(0, { held_by: ["ada"] }), item(1, { held_by: ["bob"] }));
  server.use(released.handler);

  await user.click(await screen.findByRole("button", { name: "Release item 1" }));

  await waitFor(() => expect(released.requests).toHaveLength(1));
  expect(screen.queryByRole("button", { name: "Release item 2" })).toBeNull();
});

test("a queue says what it asks, and that its rubric has a newer version", async () => {
  open();

  expect(await screen.findByText(/a new queue would use v3/)).toBeVisible();
  expect(screen.getByText("Yes, No")).toBeInTheDocument();
});
