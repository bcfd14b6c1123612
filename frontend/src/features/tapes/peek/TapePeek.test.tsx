import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";

import { TapesPage } from "@/features/tapes/TapesPage";
import { listenForKeys, listKeys } from "@/lib/keys";
import { answer, record, refuse } from "@/testing/answers";
import { tapePreview, keyStep, session, tapeRow, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const ONE = tapeRow({ id: uuid(1), title: "One" });
const THREE = tapeRow({ id: uuid(3), title: "Three" });
const ROWS = [ONE, tapeRow({ id: uuid(2), title: "Two", error_count: 1 }), THREE];
const TWO = tapePreview({
  tape: tapeRow({
    id: uuid(2),
    title: "Two",
    error_count: 1,
    step_count: 12,
    outcome: "fail",
    expected: "391",
    actual: "390",
    tags: ["odd"],
  }),
  first_error: 5,
  findings: [
    { detector: "unknown_tool", title: "Unknown tool", severity: "error", count: 2, position: 5 },
  ],
  steps: [
    keyStep(0, { kind: "user", family: "observation", gist: "What is it?" }),
    keyStep(5, { kind: "tool_result", family: "observation", is_error: true, gist: "No." }),
    keyStep(11, { excerpt: "It is 390.", is_cut: true }),
  ],
});

let stopKeys: () => void;
beforeEach(() => {
  stopKeys = listenForKeys();
  window.localStorage.clear();
  server.use(
    answer("get", "/tapes", { items: ROWS, next: null }),
    answer("get", "/session", session()),
    answer("get", `/tapes/${uuid(1)}/glance`, tapePreview({ tape: ONE })),
    answer("get", `/tapes/${uuid(2)}/glance`, TWO),
    answer("get", `/tapes/${uuid(3)}/glance`, tapePreview({ tape: THREE })),
  );
});
afterEach(() => stopKeys());

const open = (at = "/tapes") => renderScreen({ path: "/tapes", element: <TapesPage />, at });
const pane = async () => within(await screen.findByRole("complementary", { name: "Tape preview" }));

test("Space shows the marked tape, j and k lead on, Escape ends it", async () => {
  const { user, address } = open();
  await screen.findByRole("link", { name: "One" });

  await user.keyboard("j ");
  expect(address()).toBe(`/tapes?peek=${uuid(1)}`);
  expect((await pane()).getByRole("heading", { name: "One" })).toBeVisible();

  await user.keyboard("j");
  expect(address()).toBe(`/tapes?peek=${uuid(2)}`);
  expect((await pane()).getByRole("heading", { name: "Two" })).toBeVisible();
  expect(screen.getByRole("row", { name: /Two/ })).toHaveAttribute("data-active");

  await user.keyboard("k{Escape}");
  expect(address()).toBe("/tapes");
  expect(screen.queryByRole("complementary")).toBeNull();
  expect(screen.getByRole("row", { name: /One/ })).toHaveAttribute("data-active");
});

test("a tape at a glance tells its numbers, answers, steps, tags and findings", async () => {
  open(`/tapes?peek=${uuid(2)}`);

  const failing = await (await pane()).findByRole("link", { name: /No\./ });
  expect(failing).toHaveTextContent("first error");
  expect(failing).toHaveAttribute("href", `/t/${uuid(2)}?step=5`);
  for (const words of ["version 3", "Failed", "391", "390", "It is 390.", "4 more steps", "odd"]) {
    expect((await pane()).getByText(words)).toBeVisible();
  }
  expect((await pane()).getByText("Truncated; open the tape to see all.")).toBeVisible();
  expect((await pane()).getByRole("link", { name: /Unknown tool 2 times/ })).toBeVisible();
});

test("images of its last key steps are seen", async () => {
  const pixel =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";
  const screenshot = keyStep(3, { gist: "page", has_image: true });
  server.use(
    answer("get", `/tapes/${uuid(2)}/glance`, { ...TWO, steps: [keyStep(0), screenshot] }),
    answer("get", `/tapes/${uuid(2)}/steps/3`, {
      position: 3,
      cut: null,
      body: { kind: "page", text: "Home", screenshot: pixel },
    }),
  );
  open(`/tapes?peek=${uuid(2)}`);

  const image = await (await pane()).findByRole("img", { name: "From the tape" });
  expect(image).toHaveAttribute("src", pixel);
});

test("P and F judge the marked tape, which the pane says too", async () => {
  const changed = record("patch", `/tapes/${uuid(2)}`, { ...TWO.tape, outcome: "pass" });
  server.use(changed.handler);
  const { user } = open(`/tapes?peek=${uuid(2)}`);
  await (await pane()).findByText("It is 390.");

  await user.keyboard("P");
  expect(await (await pane()).findByRole("button", { name: "Outcome: Passed" })).toBeVisible();
  await user.click((await pane()).getByRole("button", { name: "Outcome: Passed" }));
  await user.click(await screen.findByRole("menuitem", { name: /^Failed/ }));

  await waitFor(() =>
    expect(changed.requests.map(({ body }) => body)).toEqual([
      { outcome: "pass" },
      { outcome: "fail" },
    ]),
  );
});

test("what is peeked at is judged though the list does not have it", async () => {
  const changed = record("patch", `/tapes/${uuid(2)}`, { ...TWO.tape, outcome: "fail" });
  server.use(answer("get", "/tapes", { items: [ONE], next: null }), changed.handler);
  const { user } = open(`/tapes?peek=${uuid(2)}`);
  await (await pane()).findByText("It is 390.");

  await user.keyboard("F");

  await waitFor(() =>
    expect(changed.requests.map(({ body }) => body)).toEqual([{ outcome: "fail" }]),
  );
});

test("Enter opens what is peeked at though the list does not have it", async () => {
  server.use(answer("get", "/tapes", { items: [ONE], next: null }));
  const { user, address } = open(`/tapes?peek=${uuid(2)}`);
  await (await pane()).findByText("It is 390.");

  await user.keyboard("{Enter}");

  await waitFor(() => expect(address()).toBe(`/t/${uuid(2)}`));
});

test("Enter opens what is peeked at, under the Errors lens where it fails; back is back", async () => {
  const { user, address, router } = open(`/tapes?lens=errors&error=1&peek=${uuid(2)}`);
  await (await pane()).findByText("first error");

  const link = (await pane()).getByRole("link", { name: /Open/ });
  expect(link).toHaveAttribute("href", `/t/${uuid(2)}?step=first-error`);
  await user.keyboard("{Enter}");
  await waitFor(() => expect(address()).toBe(`/t/${uuid(2)}?step=first-error`));

  await router.navigate(-1);
  expect(await (await pane()).findByText("first error")).toBeVisible();
});

test("opening the pane is a place to go back from, walking on in it is not", async () => {
  const { user, address, router } = open();
  await screen.findByRole("link", { name: "One" });

  await user.keyboard("JJK");
  expect(address()).toBe(`/tapes?peek=${uuid(1)}`);
  await router.navigate(-1);

  await waitFor(() => expect(address()).toBe("/tapes"));
});

test("the tapes beside the one that is shown are asked for early", async () => {
  const { handler, requests } = record("get", `/tapes/${uuid(3)}/glance`, tapePreview());
  server.use(handler);
  open(`/tapes?peek=${uuid(2)}`);

  await waitFor(() => expect(requests).toHaveLength(1));
});

test("while it is on its way the row says what it knows; a refusal is said and tried again", async () => {
  server.use(refuse("get", `/tapes/${uuid(2)}/glance`, "The disk is full.", 500));
  const { user } = open(`/tapes?peek=${uuid(2)}`);
  expect(screen.getByRole("status", { name: "Loading the tape" })).toBeVisible();
  expect(await (await pane()).findByText("The disk is full.")).toBeVisible();
  expect((await pane()).getByRole("heading", { name: "Two" })).toBeVisible();

  server.use(answer("get", `/tapes/${uuid(2)}/glance`, TWO));
  await user.click((await pane()).getByRole("button", { name: "Try again" }));

  expect(await (await pane()).findByText("first error")).toBeVisible();
});

test("a tape that is gone and one without steps are said", async () => {
  server.use(refuse("get", `/tapes/${uuid(9)}/glance`, "Tape not found.", 404));
  const { router } = open(`/tapes?peek=${uuid(9)}`);
  expect(await screen.findByText("This tape no longer exists")).toBeVisible();

  await router.navigate(`/tapes?peek=${uuid(1)}`);
  expect(await screen.findByText("This tape has no steps yet.")).toBeVisible();
});

test("with the pane open a click on a row shows it, the title opens it; keys are listed", async () => {
  const { user, address } = open();
  await screen.findByRole("link", { name: "One" });
  await user.click(screen.getByRole("button", { name: "Preview" }));
  await user.click(within(screen.getByRole("row", { name: /Three/ })).getByText("$0.0123"));

  expect(address()).toBe(`/tapes?peek=${uuid(3)}`);
  const keys = listKeys().find(({ zone }) => zone === "Tapes")?.keys ?? [];
  expect(keys.map((key) => key.keys)).toEqual(
    expect.arrayContaining(["p", "Space", "J", "Escape"]),
  );
});
