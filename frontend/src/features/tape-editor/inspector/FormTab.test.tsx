import { act, screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import type { FormView } from "@/api/types";
import { TapePage } from "@/features/tape-editor/TapePage";
import { buildAdded, buildHello, buildStep } from "@/features/tape-editor/testing/builders";
import { buildTape, serveTape, STEPS, TAPE } from "@/features/tape-editor/testing/page";
import { job } from "@/testing/builders";
import { FakeSocket } from "@/testing/FakeSocket";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const SEARCH = buildStep(1, { kind: "resolve_function_action", gist: "Looking for forms" });
const BARE: FormView = {
  stage: "looking",
  name: "",
  description: "",
  slots: [],
  candidates: [],
  candidate_count: 0,
  illegal: null,
};
const SLOT: FormView["slots"][number] = {
  name: "boat",
  type: "string",
  description: "Name of the boat",
  state: "outstanding",
  is_required: false,
  is_asked_for: false,
  value: null,
  refused: "",
  reason: "",
};
const FILLING: FormView = {
  ...BARE,
  stage: "filling",
  name: "BookBerth",
  description: "Books a berth.",
  slots: [
    { ...SLOT, state: "filled", value: "<b>Ann</b>", is_required: true },
    { ...SLOT, name: "power", type: "boolean", state: "filled", value: false },
    { ...SLOT, name: "hour", type: "time", state: "skipped" },
    {
      ...SLOT,
      name: "berth",
      type: "categorical",
      state: "invalid",
      is_asked_for: true,
      refused: "medium",
      reason: "It is small or large.",
    },
  ],
};

beforeEach(() => FakeSocket.install());

/** Answers with the form after each step, and remembers which steps were asked about. */
function open(forms: Record<number, FormView | null>, query = "", run = false) {
  const asked: number[] = [];
  const active = run ? { job: job(), active_job_id: job().id } : {};
  serveTape(buildTape(active), [...STEPS.slice(0, 1), SEARCH]);
  server.use(
    http.get(`http://studio.test/api/v1/tapes/${TAPE}/steps/:position/form`, ({ params }) => {
      asked.push(Number(params.position));
      return HttpResponse.json(forms[Number(params.position)] ?? null);
    }),
  );
  const { user, address } = renderScreen({
    path: "/t/:tapeId",
    element: <TapePage />,
    at: `/t/${TAPE}${query}`,
  });
  return { user, address, asked };
}

const findForm = () => screen.findByRole("region", { name: "Form" });

test("a dialogue about a form opens with the form as the last step leaves it", async () => {
  const { asked } = open({ 1: FILLING });

  const form = within(await findForm());
  expect(form.getByRole("heading", { name: "BookBerth" })).toBeVisible();
  expect(form.getByText("filling in")).toBeVisible();
  expect(form.getByText("3 of 4 slots done")).toBeVisible();
  const slots = within(form.getByRole("list", { name: "Slots" })).getAllByRole("listitem");
  expect(slots.map((slot) => slot.textContent)).toEqual([
    "boatstring, requiredfilled<b>Ann</b>",
    "powerbooleanfilledfalse",
    "hourtimeskipped",
    "berthcategorical, asked forinvalidmedium It is small or large.",
  ]);
  expect(asked).toEqual([1]);
});

test("the chosen step decides, and another tab can be asked for", async () => {
  const { user, address } = open({ 0: null, 1: FILLING }, "?step=0");

  expect(await screen.findByText(/^No step until here is about a form/)).toBeVisible();
  await user.click(screen.getByRole("tab", { name: "Provenance" }));
  expect(address()).toContain("view=provenance");
  expect(screen.queryByText(/^No step until here is about a form/)).toBeNull();
});

test("candidates are listed before one is chosen", async () => {
  const candidates = [{ name: "BookBerth", description: "Books a berth" }];
  open({ 1: { ...BARE, stage: "choosing", candidates, candidate_count: 300 } });

  const form = within(await findForm());
  expect(form.getByRole("heading", { name: "No form chosen yet" })).toBeVisible();
  expect(form.getByText("The first 1 of 300 forms that may be meant")).toBeVisible();
  expect(form.getByRole("list", { name: "Candidates" })).toHaveTextContent(
    "BookBerthBooks a berth",
  );
});

test("an illegal step is said with its reason, and leads there", async () => {
  const illegal = { position: 1, kind: "update", reason: "The form has no slot 'mast'." };
  const { user, address } = open({ 1: { ...FILLING, illegal } });

  const form = within(await findForm());
  expect(form.getByText(/may not come there: The form has no slot 'mast'\./)).toBeVisible();
  await user.click(form.getByRole("button", { name: "Step 1" }));
  expect(address()).toContain("step=1");
});

test("while a run adds steps, the form follows", async () => {
  const { asked } = open({ 1: FILLING, 2: { ...FILLING, stage: "confirmed" } }, "", true);
  await screen.findByText("filling in");

  const socket = FakeSocket.newest();
  act(() => {
    socket.accept();
    socket.send(buildHello());
    socket.send({ ...buildAdded(2), tape_id: TAPE });
  });

  expect(await screen.findByText("confirmed")).toBeVisible();
  expect(asked).toEqual([1, 2]);
});

test("a tape about something else has no such tab, nor its address", async () => {
  serveTape(buildTape());
  renderScreen({ path: "/t/:tapeId", element: <TapePage />, at: `/t/${TAPE}?view=form` });

  expect(await screen.findByRole("tab", { name: "Prompt", selected: true })).toBeVisible();
  expect(screen.queryByRole("tab", { name: "Form" })).toBeNull();
});
