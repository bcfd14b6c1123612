import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { UploadPage } from "@/features/uploads/UploadPage";
import { answer, record, refuse } from "@/testing/answers";
import { job, uuid } from "@/testing/builders";
import { FakeSocket } from "@/testing/FakeSocket";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

beforeEach(() => FakeSocket.install());
afterEach(() => {
  vi.unstubAllGlobals();
});

const open = (at = "/upload") => renderScreen({ path: "/upload", element: <UploadPage />, at });
const file = (name: string, content = "{}") => new File([content], name);
const importJob = (part = {}) => job({ kind: "import", tape_id: null, title: "gaia", ...part });
const result = {
  batch_id: uuid(9),
  batch_name: "gaia",
  imported: 12,
  already_there: 1,
  llm_calls: 143,
  refused: [{ file: "broken.json", position: "line 3", reason: "The file ends in a text." }],
  attacks_left_out: 2,
  unmapped: [{ what: "field 'weight' of assistant messages", tape_count: 1234 }],
};

test("chosen files are sent with the batch, and the page goes to the import", async () => {
  const { handler, requests } = record("post", "/uploads", importJob({ state: "queued" }), 202);
  server.use(handler, answer("get", `/jobs/${uuid(100)}`, importJob()));
  const { user, address } = open();

  await user.upload(screen.getByLabelText("Files"), [file("a.json"), file(".DS_Store")]);
  expect(screen.getByText("1 hidden file left out.")).toBeVisible();
  await user.type(screen.getByRole("textbox", { name: "Batch" }), "gaia");
  await user.click(screen.getByRole("button", { name: /^Import 1 file/ }));

  await waitFor(() => expect(address()).toBe(`/upload?job=${uuid(100)}`));
  expect(requests).toHaveLength(1);
});

test("a file can be left out again", async () => {
  const { user } = open();
  await user.upload(screen.getByLabelText("Files"), [file("a.json"), file("b.json")]);

  await user.click(screen.getByRole("button", { name: "Leave out a.json" }));

  expect(screen.queryByText("a.json")).not.toBeInTheDocument();
  expect(screen.getByText("b.json")).toBeVisible();
});

test("a refused upload says why and keeps the files", async () => {
  server.use(refuse("post", "/uploads", "The files are larger than 2 GB.", 413));
  const { user } = open();
  await user.upload(screen.getByLabelText("Files"), file("a.json"));

  await user.click(screen.getByRole("button", { name: /^Import/ }));

  expect(await screen.findByText("The files are larger than 2 GB.")).toBeVisible();
  expect(screen.getByText("a.json")).toBeVisible();
});

test("the import is followed live and ends with what came in, the rest folded", async () => {
  server.use(answer("get", `/jobs/${uuid(100)}`, importJob()));
  const { user } = open(`/upload?job=${uuid(100)}`);
  expect(await screen.findByText("Running")).toBeVisible();
  const socket = FakeSocket.newest();

  act(() => {
    socket.accept();
    socket.send({ seq: 1, type: "job.progress", done: 3, total: 12, message: "Reading a.json" });
  });
  expect(await screen.findByText("3 of 12")).toBeVisible();
  expect(screen.getByText(/Reading a.json/)).toBeVisible();

  server.use(answer("get", `/jobs/${uuid(100)}`, importJob({ state: "succeeded", result })));
  act(() =>
    socket.send({
      seq: 2,
      type: "job.state",
      state: "succeeded",
      message: "",
      error_code: "",
      cancelled_by: "",
      result,
    }),
  );

  expect(await screen.findByText("Succeeded")).toBeVisible();
  expect(screen.getByText("143")).toBeVisible();
  expect(screen.getByText("12 tapes imported, 1 already here")).toBeVisible();
  expect(screen.getByText("broken.json")).not.toBeVisible();
  expect(screen.getByText(/^The attack of 2 tapes was left out/)).toBeVisible();
  await user.click(screen.getByText(/rejected; the rest was imported/));
  await user.click(screen.getByText(/^Kept with the tapes/));
  expect(screen.getByRole("row", { name: /broken.json line 3 The file ends/ })).toBeVisible();
  expect(screen.getByRole("row", { name: /'weight' of assistant messages 1.234/ })).toBeVisible();
  expect(screen.getByRole("link", { name: "Show them" })).toHaveAttribute(
    "href",
    `/tapes?batch=${uuid(9)}`,
  );
});

test("an import that failed says why", async () => {
  server.use(
    answer(
      "get",
      `/jobs/${uuid(100)}`,
      importJob({ state: "failed", message: "No file could be read." }),
    ),
  );
  open(`/upload?job=${uuid(100)}`);

  expect(await screen.findByRole("alert")).toHaveTextContent("No file could be read.");
});
