import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { Annotation, Session, Suspect, Tape } from "@/api/types";
import { TapePage } from "@/features/tape-editor/TapePage";
import { buildStep } from "@/features/tape-editor/testing/builders";
import { buildTape, serveTape, STEPS, TAPE } from "@/features/tape-editor/testing/page";
import { MODELS_WORKED } from "@/lib/durations";
import { listenForKeys } from "@/lib/keys";
import { answer, record } from "@/testing/answers";
import { job, session, uuid } from "@/testing/builders";
import { FakeSocket } from "@/testing/FakeSocket";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const SUSPECT: Suspect = {
  position: 1,
  why: "error",
  words: "Error: tool not found",
  passed_count: 0,
};

const NOTE: Annotation = {
  id: uuid(70),
  tape_id: TAPE,
  position: null,
  field: "",
  start: null,
  end: null,
  quote: "",
  kind: "score",
  name: "Pass or fail: passed",
  value: 0,
  scale: "thumbs",
  text: "",
  source: "person",
  source_name: "ada",
  outcome: null,
  can_edit: false,
  can_delete: false,
  created_at: "2026-01-02T12:00:00Z",
  updated_at: "2026-01-02T12:00:00Z",
};

let stopKeys: () => void;
beforeEach(() => {
  FakeSocket.install();
  stopKeys = listenForKeys();
});
afterEach(() => stopKeys());

interface Opened {
  tape?: Partial<Tape>;
  suspect?: Suspect | null;
  steps?: typeof STEPS;
  role?: Session["role"];
  query?: string;
  notes?: Partial<Annotation>[];
}

async function open(opened: Opened = {}) {
  const {
    tape = {},
    suspect = null,
    steps = STEPS,
    role = "owner",
    query = "",
    notes = [],
  } = opened;
  const built = buildTape({ step_count: steps.length, ...tape });
  serveTape(built, steps);
  server.use(
    answer("get", `/tapes/${TAPE}/suspect`, suspect),
    answer("get", "/session", session({ role })),
    answer("get", `/tapes/${TAPE}/annotations`, {
      items: notes.map((note) => ({ ...NOTE, ...note })),
    }),
  );
  const at = `/t/${TAPE}${query}`;
  const screenOf = renderScreen({ path: "/t/:tapeId", element: <TapePage />, at });
  const more = await screen.findByRole("button", { name: "More for this tape" });
  const header = within(more.closest("header") ?? document.body);
  return { ...screenOf, header, tape: built };
}

test("the header says that it failed, what was expected, what came and the score", async () => {
  const { header } = await open({
    tape: { outcome: "fail", expected: "It is 391.", actual: "It is 390.", score: 0.25 },
  });

  expect(header.getByRole("button", { name: "Outcome: Failed" })).toBeVisible();
  expect(header.getByText("Expected").textContent).toBe("Expected It is 391.");
  expect(header.getByText("391.").tagName).toBe("INS");
  expect(header.getByText("390.").tagName).toBe("DEL");
  expect(header.getByText("Score")).toHaveTextContent("Score 0.25");
});

test.each([
  [{ outcome: "pass", expected: "391", actual: "391" } as const, "As expected 391"],
  [{ expected: "391" }, "Expected 391no answer"],
  [{ actual: "390" }, "Answer 390"],
])("of %j it says %j", async (tape, said) => {
  const { header } = await open({ tape });

  const [first = ""] = /^(As expected|Expected|Answer)/.exec(said) ?? [];
  expect(header.getByText(first).parentElement).toHaveTextContent(said);
});

test("the outcome is judged by its menu and by a key", async () => {
  const { user, header, tape } = await open({ tape: { outcome: "fail" } });
  const changed = record("patch", `/tapes/${TAPE}`, { ...tape, outcome: "pass" });
  server.use(changed.handler);

  await user.click(header.getByRole("button", { name: "Outcome: Failed" }));
  await user.click(await screen.findByRole("menuitem", { name: /^Passed/ }));
  expect(await header.findByRole("button", { name: "Outcome: Passed" })).toBeVisible();
  await user.keyboard("F");
  await user.keyboard("U");

  await waitFor(() =>
    expect(changed.requests.map(({ body }) => body)).toEqual([
      { outcome: "pass" },
      { outcome: "fail" },
      { outcome: "" },
    ]),
  );
});

test("the outcome says who judged it in a queue", async () => {
  const { user, header } = await open({
    tape: { outcome: "fail" },
    notes: [{ source_name: "ada", outcome: "fail" }],
  });

  await user.click(header.getByRole("button", { name: "Outcome: Failed" }));

  expect(await screen.findByText("Judged in a queue by ada.")).toBeVisible();
});

test("a viewer sees the outcome and has no key for it", async () => {
  const { user, header } = await open({ tape: { outcome: "fail" }, role: "viewer" });
  const changed = record("patch", `/tapes/${TAPE}`, {});
  server.use(changed.handler);

  await waitFor(() => expect(header.getByRole("button", { name: /Outcome/ })).toBeDisabled());
  await user.keyboard("P");

  expect(changed.requests).toHaveLength(0);
});

test("what nobody judged is an error where its last step or its run is one", async () => {
  const failed = buildStep(1, { kind: "tool", family: "observation", is_error: true });
  const { header } = await open({ steps: [...STEPS.slice(0, 1), failed] });

  expect(await header.findByRole("button", { name: "Outcome: Error" })).toBeVisible();
});

test.each([
  ["waiting", "Waiting for you"],
  ["paused", "Paused"],
  ["running", "Running"],
] as const)("of a run that is %s it says %j", async (state, words) => {
  const { header } = await open({ tape: { active_job_id: uuid(100), job: job({ state }) } });

  expect(await header.findByRole("button", { name: `Outcome: ${words}` })).toBeVisible();
});

test("b leads to the suspected step, which is a link that says why", async () => {
  const { user, header, address } = await open({ suspect: SUSPECT });

  const link = await header.findByRole("link", { name: "First error: step 1, tool not found" });
  expect(link).toHaveAttribute("href", `/t/${TAPE}?step=1`);
  await user.keyboard("b");

  expect(address()).toBe(`/t/${TAPE}?step=1`);
  expect(header.getByRole("button", { name: "Edit step 1" })).toBeVisible();
});

test.each([
  [{ why: "finding", words: "Repeated action" }, "First finding: step 1, Repeated action"],
  [
    { why: "parting", words: "look_up()", passed_count: 1 },
    "Diverges from the passing run at step 1, look_up()",
  ],
  [{ why: "parting", words: "", passed_count: 3 }, "Diverges from the 3 passing runs at step 1"],
] as const)("%j is said as %j", async (part, said) => {
  const { header } = await open({ suspect: { ...SUSPECT, ...part } });

  expect(await header.findByRole("link", { name: said })).toBeVisible();
});

test("a tape that passed is suspected of nothing, and its first action is to compare", async () => {
  const { user, header } = await open({ tape: { outcome: "pass" }, suspect: SUSPECT });

  await user.click(header.getByRole("button", { name: "Compare" }));

  expect(await screen.findByRole("menuitem", { name: "Another tape" })).toBeVisible();
  expect(header.queryByRole("link", { name: /First error/ })).toBeNull();
});

test("a fork says in words what was edited", async () => {
  const words = '#1 content: "Error: nothing is known" → "$36.00"';
  serveTape(buildTape());
  const { header } = await open({
    tape: { parent_id: uuid(2), forked_at: 1, parent_title: "Prices", edit_words: words },
  });

  const link = await header.findByRole("link", { name: /#1 content/ });
  expect(link).toHaveTextContent(`Diff with parent: ${words}`);
  expect(link).toHaveAttribute("href", `/t/${uuid(2)}/diff/${TAPE}`);
});

test("the task stands beside the answer where the title is another", async () => {
  const { header } = await open({ tape: { title: "Monday's try", task: "refunds-7" } });

  expect(header.getByText("task refunds-7")).toBeVisible();
});

test("a tape that two agents wrote says which wrote what, and leads there", async () => {
  const steps = [...STEPS, buildStep(2, { agent: "chat/web" }), buildStep(3, { agent: "other" })];
  const { user, header, address } = await open({ tape: { agent_name: "other" }, steps });

  const writers = await header.findByTitle("Agents that wrote this tape");
  expect(writers).toHaveTextContent("chat from #1, then other from #3");
  await user.click(within(writers).getByRole("button", { name: "from #3" }));

  await waitFor(() => expect(address()).toContain("step=3"));
});

test("an imported step has the file's time, or none", async () => {
  const made = { writer: "import" as const, agent: "chat" };
  const asked = "2024-05-06T07:08:09Z";
  const recorded = buildStep(2, { ...made, call_id: uuid(80), duration_seconds: 2.5 });
  const steps = [...STEPS.slice(0, 1), buildStep(1, made), recorded];
  server.use(answer("get", `/tapes/${TAPE}/calls/${uuid(80)}`, { started_at: asked }));
  const { user } = await open({
    tape: { digest: "abc" },
    steps,
    query: "?step=1&view=provenance",
  });

  // All at once: what was seen stays while later pages of the outline come.
  expect(await screen.findByText("time unknown")).toBeVisible();
  expect(screen.getAllByText("Imported")).toHaveLength(2);
  expect(screen.getByText("worked 2.5 s")).toHaveAttribute("title", MODELS_WORKED);

  await user.keyboard("j");
  await waitFor(() => expect(document.querySelector(`time[datetime="${asked}"]`)).toBeVisible());
  expect(screen.queryByText("time unknown")).toBeNull();
});
