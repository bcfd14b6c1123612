import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import type { ExampleFile, ExamplePreview, ImportedExamples } from "@/api/types";
import { ImportExamplesPage } from "@/features/datasets/ImportExamplesPage";
import { answer, record, refuse } from "@/testing/answers";
import { job, session, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const FILE: ExampleFile = {
  id: uuid(61),
  name: "rows.jsonl",
  format: "jsonl",
  columns: [
    { name: "item.question", first: "Why?" },
    { name: "item.answer", first: "So." },
    { name: "item.hard", first: "True" },
  ],
  suggested: {
    message: "item.question",
    expected: "item.answer",
    id: "",
    task: "",
    split: "",
    check: "",
    state: "",
    attack: "",
    all_in: "",
    metadata: [],
  },
};

const PREVIEW: ExamplePreview = {
  rows: [
    {
      row: 1,
      message: "Why?",
      expected: "So.",
      id: "",
      task: "",
      split: "",
      check: "",
      state: "",
      attack: "",
      metadata: {},
    },
  ],
  looked_at: 3,
  example_count: 1,
  left_out: [{ why: "nothing in column 'item.question'", count: 2, first_row: 2 }],
  lost: [],
};

const RESULT: ImportedExamples = {
  dataset: "rows",
  batch: "rows.jsonl",
  dataset_id: uuid(60),
  batch_id: uuid(21),
  undo: uuid(62),
  rows: 3,
  made: 1,
  already_there: 0,
  left_out: PREVIEW.left_out,
  lost: [],
};

beforeEach(() => {
  server.use(
    answer("get", "/session", session()),
    answer("get", `/example-files/${FILE.id}`, FILE),
    answer("post", `/example-files/${FILE.id}/preview`, PREVIEW),
  );
});

const open = (at = "/datasets/import") =>
  renderScreen({ path: "/datasets/import", at, element: <ImportExamplesPage /> });

test("a file is sent, looked at and imported, and what was left out is said", async () => {
  const started = record("post", `/example-files/${FILE.id}/import`, job({ id: uuid(80) }), 202);
  server.use(
    answer("post", "/example-files", FILE, 201),
    started.handler,
    answer("get", `/jobs/${uuid(80)}`, job({ id: uuid(80), state: "succeeded" })),
    answer("get", `/example-files/imports/${uuid(80)}`, RESULT),
  );
  const { user, address } = open();

  await user.upload(screen.getByLabelText("File"), new File(["{}"], "rows.jsonl"));
  expect(await screen.findByText("Of the first 3 rows 1 become examples.")).toBeVisible();
  const table = within(screen.getByRole("table", { name: "First examples" }));
  expect(table.getByText("So.")).toBeVisible();
  expect(screen.getByText(/2 rows: nothing in column/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Create examples" }));

  expect(await screen.findByText("1 example made")).toBeVisible();
  expect(started.requests[0]?.body).toEqual({ dataset: "rows", mapping: FILE.suggested });
  expect(screen.getByRole("link", { name: "Versions and scorers" })).toHaveAttribute(
    "href",
    `/datasets/${uuid(60)}`,
  );
  expect(address()).toContain(`job=${uuid(80)}`);
});

test("another column is chosen, and the preview is asked anew", async () => {
  const asked = record("post", `/example-files/${FILE.id}/preview`, PREVIEW);
  server.use(asked.handler);
  const { user } = open(`/datasets/import?file=${FILE.id}`);

  await user.click(await screen.findByRole("combobox", { name: "Expected answer" }));
  await user.click(await screen.findByRole("option", { name: /item\.hard/ }));

  await waitFor(() => {
    expect(asked.requests.at(-1)?.body).toMatchObject({ expected: "item.hard" });
  });
});

test("a file that cannot be read is said in its words", async () => {
  server.use(refuse("post", "/example-files", "rows.bin cannot be imported: it is empty.", 422));
  const { user } = open();

  await user.upload(screen.getByLabelText("File"), new File([""], "rows.jsonl"));

  expect(await screen.findByText("rows.bin cannot be imported: it is empty.")).toBeVisible();
});
