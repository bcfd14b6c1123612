import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { chooseAll, chooseRows } from "@/features/tapes/bulk/chosen";
import { RerunButton } from "@/features/tapes/bulk/RerunButton";
import { answer, record, refuse } from "@/testing/answers";
import { agentDetail, agentRow, agentVersion, rerun, tapeRow, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const PREVIEW = {
  tape_count: 3,
  looked_at: 3,
  fitting: 2,
  left_out: [{ why: "It begins with the agent.", tape_count: 1 }],
  estimate: {
    tokens: { low: 900, likely: 1200, high: 1500 },
    cost_micro_usd: { low: 9_000, likely: 12_000, high: 15_000 },
    sample_count: 2,
  },
  sources: [{ id: uuid(50), name: "before", tape_count: 3 }],
};

const AGENT = agentRow({ name: "analyst" });
const VERSIONS = [
  agentVersion({ id: uuid(32), number: 2 }),
  agentVersion({ id: uuid(31), number: 1 }),
];

async function openForm(chosen = chooseRows([tapeRow({ agent_name: "analyst" })])) {
  server.use(
    answer("get", "/agents", [AGENT]),
    answer("get", `/agents/${AGENT.id}`, agentDetail({ ...AGENT, versions: VERSIONS })),
    answer("get", "/models", []),
  );
  const { user } = renderScreen({ path: "/", element: <RerunButton chosen={chosen} />, at: "/" });
  await user.click(screen.getByRole("button", { name: "Rerun" }));
  return { user, dialog: within(await screen.findByRole("dialog")) };
}

test("tapes are looked at, then run by the newest version of their agent within a budget", async () => {
  const looks = record("post", "/reruns/preview", PREVIEW);
  const starts = record("post", "/reruns", rerun(), 202);
  server.use(looks.handler, starts.handler, answer("get", `/reruns/${uuid(60)}`, rerun()));
  const { user, dialog } = await openForm();

  expect(await dialog.findByDisplayValue("v2")).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Preview" }));
  expect(await dialog.findByRole("status")).toHaveTextContent("Of 3 tapes: 2 can be rerun.");
  expect(dialog.getByText("1 tape omitted: It begins with the agent.")).toBeVisible();
  expect(dialog.getByText(/^In total about 1.2k tokens/)).toHaveTextContent("$0.012");
  await user.type(dialog.getByLabelText("Token budget (hard limit)"), "5000");
  await user.type(dialog.getByLabelText("Parallel runs"), "4");
  await user.click(dialog.getByRole("button", { name: "Run 2 tapes" }));

  expect(await dialog.findByText("1 of 2")).toBeVisible();
  expect(looks.requests[0]?.body).toMatchObject({
    tape_ids: [uuid(1)],
    agent_version_id: uuid(32),
    until: { kind: "end" },
    tools: { default: "live" },
  });
  expect(starts.requests[0]?.body).toMatchObject({
    batch_name: "before, analyst v2",
    budget: { tokens: 5000, micro_usd: null },
    concurrency: 4,
  });
});

test("what came of it is told by state, and leads to the batch and to the comparison", async () => {
  const done = rerun({
    state: "finished",
    done_count: 2,
    states: { ...rerun().states, running: 0, out_of_budget: 1 },
    stopped_reason: "The budget of 5,000 tokens is used up.",
  });
  server.use(
    answer("post", "/reruns/preview", PREVIEW),
    answer("post", "/reruns", rerun(), 202),
    answer("get", `/reruns/${uuid(60)}`, done),
  );
  const { user, dialog } = await openForm();
  await dialog.findByDisplayValue("v2");
  await user.click(dialog.getByRole("button", { name: "Preview" }));
  await user.click(await dialog.findByRole("button", { name: "Run 2 tapes" }));

  expect(await dialog.findByText(/1 finished, 1 out of budget, not judged/)).toBeVisible();
  expect(dialog.getByText("The budget of 5,000 tokens is used up.")).toBeVisible();
  expect(dialog.getByRole("link", { name: "Show the batch" })).toHaveAttribute(
    "href",
    `/tapes?batch=${uuid(60)}`,
  );
  expect(dialog.getByRole("link", { name: "Compare with “before”" })).toHaveAttribute(
    "href",
    `/batches/compare?a=${uuid(50)}&b=${uuid(60)}&by=task`,
  );

  const undo = record("post", `/reruns/${uuid(60)}/undo`, { tape_count: 2, kept_count: 0 });
  server.use(undo.handler);
  await user.click(dialog.getByRole("button", { name: "Undo" }));
  await user.click(await screen.findByRole("button", { name: "Yes, undo" }));
  expect(await dialog.findByText("2 tapes removed.")).toBeVisible();
  expect(undo.requests).toHaveLength(1);
});

test("another version asks for another look, and a refusal is told", async () => {
  server.use(refuse("post", "/reruns/preview", "The model has no key.", 409));
  const { user, dialog } = await openForm(chooseAll({ q: `batch:${uuid(50)}` }, 900));
  await user.click(dialog.getByRole("combobox", { name: "Agent" }));
  await user.click(await screen.findByRole("option", { name: "analyst" }));
  await dialog.findByDisplayValue("v2");
  await user.click(dialog.getByRole("button", { name: "Preview" }));
  expect(await dialog.findByRole("alert")).toHaveTextContent("The model has no key.");

  const looks = record("post", "/reruns/preview", PREVIEW);
  server.use(looks.handler);
  await user.click(dialog.getByRole("combobox", { name: "Version" }));
  await user.click(await screen.findByRole("option", { name: "v1" }));
  expect(dialog.queryByRole("alert")).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Preview" }));
  expect(await dialog.findByRole("button", { name: "Run 2 tapes" })).toBeVisible();
  expect(looks.requests[0]?.body).toMatchObject({
    q: `batch:${uuid(50)}`,
    agent_version_id: uuid(31),
  });
});
