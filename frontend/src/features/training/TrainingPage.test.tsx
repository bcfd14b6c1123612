import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import { TrainingPage } from "@/features/training/TrainingPage";
import { ADAPTER, FINETUNE, SET, serveTraining } from "@/features/training/testing";
import { answer, record, refuse } from "@/testing/answers";
import { job, model, session, uuid } from "@/testing/builders";
import { FakeSocket } from "@/testing/FakeSocket";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

beforeEach(() => {
  FakeSocket.install();
  serveTraining();
});

function open(search = "") {
  return renderScreen({
    path: "/training",
    element: <TrainingPage />,
    at: `/training${search}`,
  });
}

test("a finetune says how far it is and what it learns; a row leads to it", async () => {
  const going = {
    ...FINETUNE,
    state: "running",
    step: 12,
    loss: 0.412,
    adapter_id: null,
  };
  server.use(answer("get", "/finetunes", { items: [going], next: null }));
  const { user, address } = open();

  const row = within(await screen.findByRole("row", { name: /keeper/ }));
  for (const words of ["Running", /12 of 50/, "0.412", "minute", "Beacons"]) {
    expect(await row.findByText(words)).toBeVisible();
  }
  await user.click(row.getByRole("link", { name: "keeper" }));
  expect(address()).toBe(`/training/${FINETUNE.job_id}`);
});

test("each list that is empty says what to do and does it in one click", async () => {
  server.use(
    answer("get", "/finetunes", { items: [], next: null }),
    answer("get", "/training-sets", { items: [], next: null }),
    answer("get", "/adapters", { items: [], next: null }),
    answer("get", "/base-models", []),
  );
  const { user, address } = open();

  expect(await screen.findByText("No finetunes yet")).toBeVisible();
  await user.click(screen.getByRole("tab", { name: "Adapters" }));
  expect(await screen.findByText("No adapters yet")).toBeVisible();
  await user.click(screen.getByRole("tab", { name: "Training sets" }));
  await user.click(await screen.findByRole("link", { name: "Make a training set" }));

  expect(address()).toBe("/training?tab=sets&new=set");
  expect(await screen.findByRole("dialog", { name: "New training set" })).toBeInTheDocument();
});

test("what could not be loaded can be tried again", async () => {
  server.use(refuse("get", "/finetunes", "The database is away.", 500));
  const { user } = open();

  expect(await screen.findByText("The database is away.")).toBeVisible();
  server.use(answer("get", "/finetunes", { items: [FINETUNE], next: null }));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("row", { name: /keeper/ })).toBeVisible();
});

test("an adapter names its base, its training set and its finetune", async () => {
  open("?tab=adapters");

  const row = within(await screen.findByRole("row", { name: /keeper/ }));
  expect(row.getByText("minute")).toBeVisible();
  expect(row.getByRole("link", { name: "Beacons" })).toHaveAttribute(
    "href",
    `/training/sets/${SET.id}`,
  );
  expect(row.getByRole("link", { name: "Finetune" })).toHaveAttribute(
    "href",
    `/training/${ADAPTER.job_id}`,
  );
});

test("a training set is made of a query; what was left out is said", async () => {
  const made = record("post", "/training-sets", job({ kind: "training_set" }), 202);
  const result = {
    training_set_id: SET.id,
    train_count: 9,
    held_out_count: 2,
    tapes: 3,
    left_out: [{ why: "It is excluded from training.", tape_count: 2 }],
    examples_left_out: { "The call failed or was cut short.": 1 },
  };
  server.use(
    made.handler,
    answer("get", `/jobs/${uuid(100)}`, job({ kind: "training_set", state: "succeeded", result })),
  );
  const { user, address } = open("?new=set&q=tag:good");

  await user.type(await screen.findByLabelText("Name"), " Beacons ");
  await user.click(screen.getByRole("radio", { name: "Rebuilt" }));
  await user.clear(screen.getByLabelText("Held out"));
  await user.type(screen.getByLabelText("Held out"), "20");
  await user.click(screen.getByRole("button", { name: "Create training set" }));

  expect(await screen.findByText(/9 examples to learn and 2 examples held out/)).toBeVisible();
  expect(screen.getByText("2 tapes left out: It is excluded from training.")).toBeVisible();
  expect(screen.getByText(/^1 LLM call left out/)).toBeVisible();
  expect(made.requests[0]?.body).toEqual({
    q: "tag:good",
    name: "Beacons",
    source: "rebuilt",
    writer: "anyone",
    joined: [],
    base: "",
    reward: "outcome",
    divides_by_spread: true,
    mixture: [],
    held_out_share: 0.2,
    seed: 0,
  });
  await user.click(screen.getByRole("link", { name: "Finetune with this set" }));
  expect(address()).toBe(`/training?new=finetune&set=${SET.id}`);
});

test("steps are left out by what the linter finds and by their score", async () => {
  const made = record("post", "/training-sets", job({ kind: "training_set" }), 202);
  server.use(made.handler, answer("get", `/jobs/${uuid(100)}`, job({ kind: "training_set" })));
  const { user } = open("?new=set&q=tag:good&name=Clean");

  await user.click(await screen.findByRole("combobox", { name: "Leave out steps with findings" }));
  await user.click(await screen.findByRole("option", { name: "Errors and warnings" }));
  await user.type(screen.getByLabelText("Minimum step score"), "0.5");
  await user.click(screen.getByRole("button", { name: "Create training set" }));

  await waitFor(() => expect(made.requests).toHaveLength(1));
  expect(made.requests[0]?.body).toMatchObject({
    without_findings: "warning",
    minimum_step_score: 0.5,
  });
});

test("the tapes that were chosen in their list become the set", async () => {
  const refused = record(
    "post",
    "/training-sets",
    { code: "conflict", message: "Taken.", details: {} },
    409,
  );
  server.use(refused.handler);
  const { user, router } = open();
  await router.navigate("/training?new=set", { state: { tapeIds: [uuid(1), uuid(2)] } });

  const words = await screen.findByText("2 tapes chosen in the list.");
  await waitFor(() => expect(words).toBeVisible()); // a dialog fades in
  await user.type(screen.getByLabelText("Name"), "Beacons");
  await user.click(screen.getByRole("button", { name: "Create training set" }));

  expect(await screen.findByText("Taken.")).toBeVisible();
  expect(refused.requests[0]?.body).toMatchObject({ q: "", tape_ids: [uuid(1), uuid(2)] });
});

test("a teacher relabels the tapes of a student, and the labels join a set", async () => {
  const made = record("post", "/training-sets", job({ kind: "training_set" }), 202);
  server.use(
    made.handler,
    answer("get", "/models", [model({ id: uuid(201), name: "clever" })]),
    answer("get", `/jobs/${uuid(100)}`, job({ kind: "training_set" })),
  );
  const { user } = open("?new=set&q=batch:student&source=relabeled&name=Round+1");

  await user.click(await screen.findByRole("combobox", { name: "Teacher" }));
  await user.click(await screen.findByRole("option", { name: "clever" }));
  await user.click(screen.getByRole("combobox", { name: "Join" }));
  await user.click(await screen.findByRole("option", { name: "Beacons" }));
  await user.click(screen.getByRole("button", { name: "Create training set" }));

  await waitFor(() => expect(made.requests).toHaveLength(1));
  expect(made.requests[0]?.body).toMatchObject({
    source: "relabeled",
    teacher_id: uuid(201),
    joined: [SET.id],
  });
});

test("an edit becomes a set of its own: what a person wrote, and nothing is held out", async () => {
  const made = record("post", "/training-sets", job({ kind: "training_set" }), 202);
  server.use(made.handler, answer("get", `/jobs/${uuid(100)}`, job({ kind: "training_set" })));
  const { user, router, address } = open();
  await router.navigate("/training?new=set&source=rebuilt&writer=person&name=Edit+of+Beacon", {
    state: { tapeIds: [uuid(1)] },
  });

  await user.click(await screen.findByRole("button", { name: "Create training set" }));

  await waitFor(() => expect(made.requests).toHaveLength(1));
  expect(made.requests[0]?.body).toEqual({
    q: "",
    tape_ids: [uuid(1)],
    name: "Edit of Beacon",
    source: "rebuilt",
    writer: "person",
    joined: [],
    base: "",
    reward: "outcome",
    divides_by_spread: true,
    mixture: [],
    held_out_share: 0,
    seed: 0,
  });
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(address()).toBe("/training");
});

test("a set of recorded tokens is made for a base, and says what it holds", async () => {
  const made = record("post", "/training-sets", job({ kind: "training_set" }), 202);
  const result = {
    training_set_id: SET.id,
    train_count: 9,
    held_out_count: 2,
    tapes: 3,
    left_out: [],
    examples_left_out: {},
    facts: {
      ...SET.facts,
      base: "minute",
      recorded_count: 10,
      rebuilt: [{ why: "No tokens were recorded with it.", count: 1 }],
    },
  };
  const done = job({ kind: "training_set", state: "succeeded", result });
  server.use(made.handler, answer("get", `/jobs/${uuid(100)}`, done));
  const { user } = open("?new=set&name=Sampled");

  await user.click(await screen.findByRole("combobox", { name: "Tokens" }));
  await user.click(await screen.findByRole("option", { name: "Recorded, of minute" }));
  await user.click(screen.getByRole("button", { name: "Create training set" }));

  const facts = within(await screen.findByRole("list", { name: "Its examples" }));
  expect(facts.getByText("10 examples with the tokens that were recorded")).toBeVisible();
  expect(
    facts.getByText("1 example made from text: No tokens were recorded with it."),
  ).toBeVisible();
  expect(made.requests[0]?.body).toMatchObject({ source: "recorded", base: "minute" });
});

test("attempts are weighed by their rewards in groups", async () => {
  const made = record("post", "/training-sets", job({ kind: "training_set" }), 202);
  server.use(made.handler, answer("get", `/jobs/${uuid(100)}`, job({ kind: "training_set" })));
  const { user } = open("?new=set&name=Attempts&source=groups");

  await user.click(await screen.findByRole("combobox", { name: "Reward" }));
  await user.click(await screen.findByRole("option", { name: "Score of the tape" }));
  await user.click(screen.getByRole("checkbox", { name: "Divide by the spread of the group" }));
  await user.click(screen.getByRole("button", { name: "Create training set" }));

  await waitFor(() => expect(made.requests).toHaveLength(1));
  expect(made.requests[0]?.body).toMatchObject({
    source: "groups",
    reward: "score",
    divides_by_spread: false,
  });
});

test("a mixture is made of sets with their shares", async () => {
  const other = { ...SET, id: uuid(61), name: "Edits" };
  const made = record("post", "/training-sets", job({ kind: "training_set" }), 202);
  server.use(
    made.handler,
    answer("get", "/training-sets", { items: [SET, other], next: null }),
    answer("get", `/jobs/${uuid(100)}`, job({ kind: "training_set" })),
  );
  const { user } = open("?new=set&name=Mix&source=mixture");

  await user.click(await screen.findByRole("combobox", { name: "Set 1" }));
  await user.click(await screen.findByRole("option", { name: "Beacons (9)" }));
  await user.type(screen.getByRole("textbox", { name: "Share of set 1" }), "70");
  await user.click(screen.getByRole("combobox", { name: "Set 2" }));
  expect(await screen.findByRole("option", { name: "Beacons (9)" })).toHaveAttribute(
    "data-combobox-disabled",
  );
  expect(screen.getByRole("button", { name: "Create training set" })).toBeDisabled();
  await user.click(await screen.findByRole("option", { name: "Edits (9)" }));
  await user.type(screen.getByRole("textbox", { name: "Share of set 2" }), "30");
  await user.type(screen.getByRole("textbox", { name: "Examples to learn" }), "100");
  await user.click(screen.getByRole("button", { name: "Create training set" }));

  await waitFor(() => expect(made.requests).toHaveLength(1));
  expect(made.requests[0]?.body).toMatchObject({
    source: "mixture",
    mixture: [
      { training_set_id: SET.id, weight: 70 },
      { training_set_id: other.id, weight: 30 },
    ],
    size: 100,
  });
});

test("finetunes that are chosen are compared", async () => {
  const other = { ...FINETUNE, job_id: uuid(72), name: "other" };
  server.use(answer("get", "/finetunes", { items: [FINETUNE, other], next: null }));
  const { user } = open();

  await user.click(await screen.findByRole("checkbox", { name: "Select keeper" }));
  expect(screen.getByText("Choose another finetune to compare it with.")).toBeVisible();
  await user.click(screen.getByRole("checkbox", { name: "Select other" }));

  expect(screen.getByRole("link", { name: "Compare" })).toHaveAttribute(
    "href",
    `/training/compare?run=${FINETUNE.job_id}&run=${other.job_id}`,
  );
});

test("a set of preference pairs asks for their preset; a base says what its template does", async () => {
  const pairs = { ...SET, kind: "preference" };
  server.use(
    answer("get", "/training-sets", { items: [], next: null }), // read before the set was made
    answer("get", `/training-sets/${SET.id}`, pairs),
  );
  const { user } = open(`?new=finetune&set=${SET.id}`);

  expect(await screen.findByRole("combobox", { name: "Preset" })).toHaveValue("Preference pairs");
  await waitFor(() => expect(screen.getByLabelText("Name")).toHaveFocus());
  await user.click(screen.getByRole("button", { name: "Close" }));
  await user.click(screen.getByRole("tab", { name: "Base models" }));

  expect(await screen.findByText("Keeps prefixes, marks nothing as generated")).toHaveAttribute(
    "title",
    expect.stringContaining("Keeps prefixes: a longer chat begins with"),
  );
});

test("a finetune is sent with what differs from its preset", async () => {
  const started = record("post", "/finetunes", job({ id: uuid(71) }), 202);
  server.use(started.handler);
  const { user, address } = open("?new=finetune");

  await user.type(await screen.findByLabelText("Name"), "keeper");
  expect(screen.getByLabelText("Rank")).toHaveAttribute("placeholder", "32");
  await user.type(screen.getByLabelText("Steps"), "many");
  expect(screen.getByText("Steps must be a number.")).toBeVisible();
  await user.clear(screen.getByLabelText("Steps"));
  await user.type(screen.getByLabelText("Steps"), "20");
  await user.type(screen.getByLabelText("Rank"), "8");
  await user.type(screen.getByLabelText("Learning rate"), "5e-4");
  const button = screen.getByRole("button", { name: "Start finetune" });
  await waitFor(() => expect(button).toBeEnabled());
  await user.click(button);

  await waitFor(() => expect(address()).toBe(`/training/${uuid(71)}`));
  expect(started.requests[0]?.body).toEqual({
    name: "keeper",
    training_set_id: SET.id,
    base: "minute",
    preset: "tiny",
    options: { steps: 20, learning_rate: 0.0005, lora: { rank: 8, alpha: 64 } },
  });
});

test("what the server would refuse is shown at its field, and starts nothing", async () => {
  const sentence = "Option lora.rank: Input should be greater than 0.";
  server.use(refuse("post", "/finetunes/check", sentence, 422, { field: "options.lora.rank" }));
  const { user } = open("?new=finetune");

  await user.type(await screen.findByLabelText("Name"), "keeper");
  await user.type(screen.getByLabelText("Rank"), "-1");

  await waitFor(() => expect(screen.getByLabelText("Rank")).toHaveAccessibleDescription(sentence));
  expect(screen.getByRole("button", { name: "Start finetune" })).toBeDisabled();
});

test("what is wrong with an option without a field of its own is said where it is typed", async () => {
  const sentence = "Option schedule: use constant, linear or cosine.";
  server.use(refuse("post", "/finetunes/check", sentence, 422, { field: "options.schedule" }));
  const { user } = open("?new=finetune");

  await user.type(await screen.findByLabelText("Name"), "keeper");

  const others = screen.getByRole("textbox", { name: "Other options" });
  await waitFor(() =>
    expect(others).toHaveAccessibleDescription(expect.stringContaining(sentence)),
  );
});

test("a finetune is duplicated with all that it was asked", async () => {
  const options = { steps: 50, lora: { rank: 4, alpha: 8 }, schedule: "cosine" };
  const started = record("post", "/finetunes", job({ id: uuid(71) }), 202);
  server.use(
    started.handler,
    answer("get", `/finetunes/${FINETUNE.job_id}`, { ...FINETUNE, options }),
  );
  const { user } = open(`?new=finetune&from=${FINETUNE.job_id}`);

  const button = await screen.findByRole("button", { name: "Start finetune" });
  await waitFor(() => expect(button).toBeEnabled());
  await user.click(button);

  await waitFor(() => expect(started.requests).toHaveLength(1));
  expect(started.requests[0]?.body).toMatchObject({
    name: "keeper again",
    base: "minute",
    options,
  });
});

test("the tiny base model is made in one click and its progress is shown", async () => {
  const made = record("post", "/base-models", job({ kind: "base_model" }), 202);
  const going = job({
    kind: "base_model",
    message: "Loss 3.210",
    progress_done: 600,
    progress_total: 2400,
  });
  const cancelled = record("post", `/jobs/${going.id}/cancel`, going, 202);
  server.use(
    made.handler,
    cancelled.handler,
    answer("get", "/base-models", []),
    answer("get", `/jobs/${going.id}`, going),
  );
  const { user } = open("?tab=bases");

  await user.click(await screen.findByRole("button", { name: "Make the tiny base model" }));

  expect(await screen.findByText(/Loss 3.210 · 600 of 2,400/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(cancelled.requests).toHaveLength(1));
  expect(made.requests[0]?.body).toMatchObject({ name: "tiny-base", steps: 2400 });
});

test("who may only look starts nothing", async () => {
  server.use(answer("get", "/session", session({ role: "viewer" })));
  open("?new=finetune");

  await screen.findByRole("row", { name: /keeper/ });
  await waitFor(() => expect(screen.queryByRole("button", { name: "New finetune" })).toBeNull());
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
