import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import { chooseRows } from "@/features/tapes/bulk/chosen";
import { TransformButton } from "@/features/tapes/bulk/TransformButton";
import { EMPTY_DRAFT, readDraft } from "@/features/tapes/bulk/transformDraft";
import { answer, record, refuse } from "@/testing/answers";
import { job, tapeRow, uuid } from "@/testing/builders";
import { FakeSocket } from "@/testing/FakeSocket";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const PREVIEW = {
  tape_count: 900,
  looked_at: 500,
  changed_tapes: 1,
  changed_steps: 1,
  left_out: [],
  samples: [
    {
      tape_id: uuid(1),
      title: "A tape",
      change_count: 1,
      steps: [
        {
          op: "changed",
          position: 3,
          kind: "user",
          fields: [{ path: "content", old: 1, new: "[phone]", words: null }],
        },
      ],
    },
  ],
};
const RESULT = {
  batch_id: uuid(7),
  batch_name: "hidden",
  tapes: 1,
  steps: 1,
  unchanged: 0,
  left_out: [{ why: "archived", tape_count: 2 }],
};

beforeEach(() => FakeSocket.install());

async function openForm() {
  const chosen = chooseRows([tapeRow()]);
  const { user } = renderScreen({
    path: "/",
    element: <TransformButton chosen={chosen} />,
    at: "/",
  });
  await user.click(screen.getByRole("button", { name: "Transform" }));
  const dialog = within(await screen.findByRole("dialog"));
  return { user, dialog };
}

test("a transform is looked at, made into a new batch, and undone", async () => {
  const looks = record("post", "/transforms/preview", PREVIEW);
  const starts = record("post", "/transforms", job({ kind: "transform" }), 202);
  const undos = record("post", `/transforms/${uuid(100)}/undo`, { tape_count: 1, kept_count: 0 });
  server.use(
    looks.handler,
    starts.handler,
    undos.handler,
    answer("get", `/jobs/${uuid(100)}`, job({ state: "succeeded", result: RESULT })),
  );
  const { user, dialog } = await openForm();

  expect(dialog.getByText("Enter what to look for.")).toBeInTheDocument();
  await user.type(dialog.getByLabelText("Find"), "555");
  await user.type(dialog.getByLabelText("Replace with"), "x");
  await user.click(dialog.getByRole("button", { name: "Preview" }));
  expect(
    await dialog.findByText("Of the newest 500 of 900 tapes: 1 tape would change, in 1 place."),
  ).toBeInTheDocument();
  expect(dialog.getByText("Step 3, user: changed")).toBeInTheDocument();
  expect(looks.requests[0]?.body).toMatchObject({
    tape_ids: [uuid(1)],
    transforms: [{ kind: "replace_text", pattern: "555", replacement: "x" }],
  });

  const name = dialog.getByLabelText("Name of the new batch");
  expect(name).toHaveValue("Tapes, text replaced");
  await user.clear(name);
  await user.type(name, "hidden");
  await user.click(dialog.getByRole("button", { name: "Create tapes" }));
  expect(await dialog.findByText(/1 tape created in the batch “hidden”/)).toBeInTheDocument();
  expect(starts.requests[0]?.body).toMatchObject({ batch_name: "hidden" });
  expect(dialog.getByText("2 tapes omitted: archived")).toBeInTheDocument();
  await user.click(dialog.getByRole("button", { name: "Undo" }));

  await waitFor(() => expect(undos.requests).toHaveLength(1));
  expect(await dialog.findByText("1 tape removed.")).toBeInTheDocument();
});

test("a change of the form asks for another look, and a refusal is shown", async () => {
  server.use(answer("post", "/transforms/preview", PREVIEW));
  const { user, dialog } = await openForm();
  await user.type(dialog.getByLabelText("Find"), "5{Enter}");
  await dialog.findByLabelText("Name of the new batch");

  server.use(refuse("post", "/transforms/preview", "It cannot be read.", 422));
  await user.type(dialog.getByLabelText("Find"), ")");

  expect(dialog.queryByLabelText("Name of the new batch")).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Preview" }));
  expect(await dialog.findByRole("alert")).toHaveTextContent("It cannot be read.");
});

test.each([
  [
    { kind: "set_value", pointer: "/n", value: "3" },
    { value: 3, pointer: "/n" },
  ],
  [{ kind: "set_value", pointer: "/n", value: "three" }, { value: "three" }],
  [{ kind: "drop_steps", stepKinds: ["tool"] }, { step_kinds: ["tool"] }],
  [
    { kind: "change_tool", tool: "a", names: "q = query\n\nn=count" },
    { name: "a", new_name: "a", arguments: { q: "query", n: "count" } },
  ],
  [{ kind: "custom", custom: "mine", settings: '{"n": 1}' }, { settings: { n: 1 } }],
] as const)("what is typed means a transform: %o", (part, transform) => {
  expect(readDraft({ ...EMPTY_DRAFT, ...part })).toMatchObject({ transform });
});

test.each([
  [{ kind: "set_value" }, /path of the value/],
  [{ kind: "drop_steps" }, /at least one kind/],
  [{ kind: "change_tool", tool: "a", names: "q" }, /old = new/],
  [{ kind: "custom", custom: "mine", settings: "[1]" }, /JSON object/],
] as const)("what is missing is said: %o", (part, problem) => {
  const read = readDraft({ ...EMPTY_DRAFT, ...part });
  expect(read).toHaveProperty("problem", expect.stringMatching(problem));
});
