import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import type { Assignment, Queue, Work } from "@/api/types";
import { AnnotatePage } from "@/features/annotate/AnnotatePage";
import { QUEUE } from "@/features/annotate/testing";
import { listenForKeys } from "@/lib/keys";
import { answer, answerNothing, record, refuse } from "@/testing/answers";
import { uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const RATED: Queue = {
  ...QUEUE,
  rubric: {
    ...QUEUE.rubric,
    items: [
      ...QUEUE.rubric.items.slice(0, 1),
      {
        kind: "scale",
        key: "clear",
        question: "Clear?",
        help: "",
        is_required: true,
        minimum: 1,
        maximum: 5,
      },
    ],
  },
  item_count: 40,
  done_count: 12,
};

const ASSIGNMENT: Assignment = {
  answer_id: uuid(2),
  item_id: uuid(3),
  number: 0,
  tape_id: uuid(4),
  tape_title: "A tape",
  other_tape_id: null,
  other_tape_title: "",
  position: null,
  held_until: null,
  values: {},
  note: "",
};

const PROGRESS = {
  answered_count: 9,
  skipped_count: 3,
  locked: [{ person: "bob", item_count: 1 }],
};

const PATH = `/queues/${uuid(1)}`;

const STEPS = 120;

function open(work: Work) {
  const steps = record("get", `/tapes/${uuid(4)}/steps`, { items: [], step_count: STEPS });
  server.use(
    answer("get", PATH, RATED),
    answer("post", `${PATH}/next`, work),
    answer("get", `/tapes/${uuid(4)}`, {
      id: uuid(4),
      step_count: STEPS,
      expected: "42",
      actual: "It is 41.",
    }),
    steps.handler,
  );
  const stop = listenForKeys();
  return {
    stop,
    steps,
    ...renderScreen({
      path: "/queues/:queueId/annotate",
      element: <AnnotatePage />,
      at: `${PATH}/annotate`,
    }),
  };
}

test("the progress says what is done, by whom, skipped and locked", async () => {
  const { stop } = open({ assignment: ASSIGNMENT, progress: PROGRESS });

  expect(
    await screen.findByText("12 of 40 done, you answered 9, you skipped 3 items, 1 locked by bob"),
  ).toBeVisible();
  stop();
});

test("the expected and the final answer stay above the tape, which opens at its end", async () => {
  const { steps, stop } = open({ assignment: ASSIGNMENT, progress: PROGRESS });

  const tape = within(await screen.findByRole("region", { name: "Tape" }));
  expect(await tape.findByText("42")).toBeVisible();
  expect(tape.getByText("It is 41.")).toBeVisible();
  await waitFor(() => expect(steps.requests).toHaveLength(1));
  const asked = steps.requests[0]?.url.searchParams;
  expect([...(asked?.values() ?? [])]).toContain("100");
  stop();
});

test("digits answer and go on, and Enter submits", async () => {
  const sent = record("post", `${PATH}/items/${uuid(3)}/answer`, null, 204);
  const { user, stop } = open({ assignment: ASSIGNMENT, progress: PROGRESS });
  server.use(sent.handler);
  await screen.findByRole("radiogroup", { name: "Good?" });

  await user.keyboard("04");
  server.use(answer("post", `${PATH}/next`, { assignment: null, progress: PROGRESS }));
  await user.keyboard("{Enter}");

  expect(await screen.findByText("Nothing left to annotate")).toBeVisible();
  expect(sent.requests[0]?.body).toMatchObject({ values: { good: false, clear: 4 }, note: "" });
  stop();
});

test("what is missing is said at its question and nothing is sent", async () => {
  const sent = record("post", `${PATH}/items/${uuid(3)}/answer`, null, 204);
  const { user, stop } = open({ assignment: ASSIGNMENT, progress: PROGRESS });
  server.use(sent.handler);
  await screen.findByRole("radiogroup", { name: "Good?" });

  await user.keyboard("1{Enter}");

  expect(await screen.findByRole("alert")).toHaveTextContent("This is required.");
  const clear = screen.getByRole("radiogroup", { name: "Clear?" });
  expect(within(clear).getAllByRole("radio")[0]).toHaveFocus();
  expect(sent.requests).toEqual([]);
  stop();
});

test("a lost lock says who has the item and offers the next one", async () => {
  const { user, stop } = open({ assignment: ASSIGNMENT, progress: PROGRESS });
  server.use(
    answer(
      "post",
      `${PATH}/items/${uuid(3)}/answer`,
      { code: "lock_lost", message: "Your lock ran out and bob took it.", details: {} },
      409,
    ),
  );
  await screen.findByRole("radiogroup", { name: "Good?" });
  await user.keyboard("15{Enter}");

  expect(await screen.findByText("Your lock ran out and bob took it.")).toBeVisible();
  const other = { ...ASSIGNMENT, item_id: uuid(5), tape_title: "Another tape" };
  server.use(answer("post", `${PATH}/next`, { assignment: other, progress: PROGRESS }));
  await user.click(screen.getByRole("button", { name: "Next item" }));
  expect(await screen.findByText("Another tape")).toBeVisible();
  stop();
});

test("s skips and goes on; what was skipped can be brought back", async () => {
  const { user, stop } = open({ assignment: ASSIGNMENT, progress: PROGRESS });
  const brought = record("post", `${PATH}/requeue`, { requeued_count: 3 });
  server.use(answerNothing("post", `${PATH}/items/${uuid(3)}/skip`), brought.handler);
  await screen.findByRole("radiogroup", { name: "Good?" });
  server.use(answer("post", `${PATH}/next`, { assignment: null, progress: PROGRESS }));

  await user.keyboard("s");
  await user.click(await screen.findByRole("button", { name: "Restore 3 skipped" }));

  await waitFor(() => expect(brought.requests[0]?.body).toEqual({ item_id: null }));
  stop();
});

test("somebody who is not asked is told whom to ask", async () => {
  server.use(
    answer("get", PATH, RATED),
    refuse("post", `${PATH}/next`, "Queue 'Turns' is assigned to ada; ask to be added.", 403),
  );
  renderScreen({
    path: "/queues/:queueId/annotate",
    element: <AnnotatePage />,
    at: `${PATH}/annotate`,
  });

  expect(
    await screen.findByText("Queue 'Turns' is assigned to ada; ask to be added."),
  ).toBeVisible();
});
