import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { LintPage } from "@/features/lint/LintPage";
import { caretUnder } from "@/features/lint/RuleText";
import { share } from "@/features/lint/TrendTable";
import { answer, record } from "@/testing/answers";
import { FakeSocket } from "@/testing/FakeSocket";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";
import { job, uuid } from "@/testing/builders";

const COUNTS = {
  items: [{ detector: "unknown_tool", title: "Unknown tool", severity: "error", tape_count: 3 }],
  finding_count: 7,
  found_count: 3,
  tape_count: 9,
  linted_count: 7,
  stale_count: 2,
  is_cut: false,
};

const DETECTOR = {
  name: "unused_observation",
  title: "Unused observation",
  severity: "info",
  is_enabled: true,
};

function open(counts = COUNTS) {
  server.use(
    answer("get", "/tapes/lint", counts),
    answer("get", "/lint/rules", { items: [] }),
    answer("get", "/lint/detectors", { items: [DETECTOR] }),
    answer("get", "/agents", []),
    answer("get", "/jobs", { items: [], next: null }),
  );
  renderScreen({ path: "/lint", element: <LintPage />, at: "/lint" });
}

test("findings are counted and lead to their tapes", async () => {
  open();

  const link = await screen.findByRole("link", { name: "Unknown tool" });

  expect(link).toHaveAttribute("href", "/tapes?lint=unknown_tool");
  expect(within(screen.getByRole("table", { name: "Findings" })).getByText("3")).toBeVisible();
  expect(screen.getByText(/7 findings on 3 tapes; 7 of 9 tapes linted/)).toBeVisible();
});

test("tapes that are out of date are linted, and counted anew when that is over", async () => {
  open();
  const started = record("post", "/lint/jobs", job({ id: uuid(5), kind: "lint" }), 201);
  server.use(
    started.handler,
    answer("get", `/jobs/${uuid(5)}`, job({ id: uuid(5), kind: "lint", state: "succeeded" })),
  );

  expect(await screen.findByText(/2 tapes are out of date/)).toBeVisible();
  server.use(answer("get", "/tapes/lint", { ...COUNTS, linted_count: 9, stale_count: 0 }));
  fireEvent.click(screen.getByRole("button", { name: "Lint them now" }));

  expect(await screen.findByText(/9 of 9 tapes linted/)).toBeVisible();
  expect(screen.queryByText(/out of date/)).toBeNull();
  expect(started.requests).toHaveLength(1);
});

test("linting that goes on says how far it is, also to those who did not begin it", async () => {
  FakeSocket.install();
  const running = job({
    id: uuid(5),
    kind: "lint",
    state: "running",
    progress_done: 40,
    progress_total: 90,
  });
  open();
  server.use(
    answer("get", "/jobs", { items: [running], next: null }),
    answer("get", `/jobs/${uuid(5)}`, running),
  );

  expect(await screen.findByText("Linting… 40 of 90 tapes.")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Lint them now" })).toBeNull();
});

test("an example of each form is written by a click", async () => {
  open();
  server.use(answer("post", "/lint/rules/check", { looked_at: 0, match_count: 0, matches: [] }));
  fireEvent.click(await screen.findByRole("button", { name: "Write a rule" }));

  for (const text of [/^never /, /^always /, / before /, / within 2 steps of /]) {
    fireEvent.click(await screen.findByRole("button", { name: text }));
    expect(screen.getByLabelText<HTMLTextAreaElement>("Rule").value).toMatch(text);
  }
});

test("a rule with a mistake shows the place and what may have been meant", async () => {
  open();
  server.use(
    answer(
      "post",
      "/lint/rules/check",
      {
        code: "rule_invalid",
        message: "Write 'equal' as '==' (character 6).",
        details: { position: 11, suggestion: "==" },
      },
      422,
    ),
  );
  fireEvent.click(await screen.findByRole("button", { name: "Write a rule" }));
  fireEvent.change(await screen.findByLabelText("Rule"), {
    target: { value: "never kind = 'tool'" },
  });

  const alert = await screen.findByRole("alert");

  expect(alert).toHaveTextContent("Write 'equal' as '=='");
  expect(alert).toHaveTextContent("Did you mean ==");
});

test("a rule is tried on the newest tapes and saved", async () => {
  open();
  const saved = record("post", "/lint/rules", {}, 201);
  const match = { tape_id: uuid(4), title: "A bad one", position: 7 };
  server.use(
    answer("post", "/lint/rules/check", { looked_at: 20, match_count: 1, matches: [match] }),
    saved.handler,
  );
  fireEvent.click(await screen.findByRole("button", { name: "Write a rule" }));
  fireEvent.change(await screen.findByLabelText("Name"), { target: { value: "no errors" } });
  fireEvent.change(screen.getByLabelText("Rule"), { target: { value: "never is_error" } });

  expect(await screen.findByRole("link", { name: "A bad one, step 7" })).toHaveAttribute(
    "href",
    `/t/${uuid(4)}?step=7`,
  );
  fireEvent.click(screen.getByRole("button", { name: "Save the rule" }));
  await expect
    .poll(() => saved.requests.map(({ body }) => body))
    .toEqual([
      { name: "no errors", text: "never is_error", severity: "warning", is_enabled: true },
    ]);
});

test("the caret stands under the character, in its line", () => {
  expect(caretUnder("never\nkind = 1", 11)).toBe("kind = 1\n     ^");
  expect(caretUnder("", 0)).toBe("\n^");
});

test("a share says how many that are", () => {
  expect(share(1, 3)).toBe("33 % (1)");
  expect(share(undefined, 3)).toBe("–");
});

test("what is counted over the newest tapes alone says so", async () => {
  open({ ...COUNTS, tape_count: 10_000, is_cut: true });

  expect(await screen.findByText(/7 of the newest 10,000 tapes linted/)).toBeVisible();
});

test("a detector that fires on nearly every tape is turned off, and on again", async () => {
  const noisy = { ...DETECTOR, detector: DETECTOR.name, tape_count: 95 };
  open({ ...COUNTS, items: [...COUNTS.items, noisy], linted_count: 100 });
  const switched = record("patch", "/lint/detectors/unused_observation", DETECTOR);
  const turnOff = await screen.findByRole("button", {
    name: "Turn off Unused observation in this project",
  });
  expect(screen.queryByRole("button", { name: /Turn off Unknown tool/ })).toBeNull();

  server.use(
    switched.handler,
    answer("get", "/lint/detectors", { items: [{ ...DETECTOR, is_enabled: false }] }),
    answer("get", "/tapes/lint", COUNTS),
  );
  fireEvent.click(turnOff);
  const state = screen.getByRole("switch", { name: "Unused observation is on" });
  await waitFor(() => expect(state).not.toBeChecked());
  expect(turnOff).not.toBeInTheDocument();
  fireEvent.click(state);

  await waitFor(() => expect(switched.requests).toHaveLength(2));
  expect(switched.requests.map(({ body }) => body)).toEqual([
    { is_enabled: false },
    { is_enabled: true },
  ]);
});
