import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { agentQuery } from "@/api/agents";
import { AgentDiffPage } from "@/features/agents/AgentDiffPage";
import { answer, refuse } from "@/testing/answers";
import { agentDetail, agentVersion, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

test("versions that cannot be loaded anew stay, and say so", async () => {
  server.use(
    answer("get", `/agents/${uuid(300)}`, agentDetail()),
    answer("get", "/agents/diff", { fields: [] }),
    answer("get", "/agents/versions/outcomes", []),
  );
  const { queryClient } = renderScreen({
    path: "/agents/:agentId/diff",
    element: <AgentDiffPage />,
    at: `/agents/${uuid(300)}/diff`,
  });
  await screen.findByText("The versions are identical");

  server.use(refuse("get", `/agents/${uuid(300)}`, "The agent is being moved."));
  await queryClient.refetchQueries(agentQuery(uuid(300)));

  expect(
    await screen.findByText(/This may be out of date. The agent is being moved/),
  ).toBeVisible();
  expect(screen.getByText("The versions are identical")).toBeVisible();
});

test("what both versions achieved stands beside their diff, and opens its attempts", async () => {
  const versions = [agentVersion({ id: uuid(312), number: 2 }), agentVersion({ id: uuid(311) })];
  const measured = (number: number, passed: number, sweep: number) => ({
    version_id: uuid(310 + number),
    number,
    sweep_id: uuid(sweep),
    letter: "A",
    score: {
      estimate: { value: passed / 4, low: 0, high: 1, count: 4, level: 0.95 },
      method: "wilson",
      tasks: 4,
      clusters: 4,
      missing: 0,
      left_out: 0,
    },
    passed_count: passed,
    failed_count: 3 - passed,
    missing_count: 1,
  });
  const on = (id: number, name: string, part: object) => ({
    dataset_id: uuid(id),
    name,
    is_pinned: false,
    a: null,
    b: null,
    ...part,
  });
  server.use(
    answer("get", `/agents/${uuid(300)}`, agentDetail({ versions })),
    answer("get", "/agents/diff", { fields: [] }),
    answer("get", "/agents/versions/outcomes", [
      on(400, "smoke", { is_pinned: true, b: { ...measured(2, 0, 60), score: null } }),
      on(401, "sums", { a: measured(1, 1, 61), b: measured(2, 3, 62) }),
    ]),
  );
  renderScreen({
    path: "/agents/:agentId/diff",
    element: <AgentDiffPage />,
    at: `/agents/${uuid(300)}/diff?a=1&b=2`,
  });

  const table = within(await screen.findByRole("table", { name: "Outcomes" }));
  const [head, smoke, sums] = table.getAllByRole("row");
  expect(head).toHaveTextContent("v1 passedv2 passed");
  expect(smoke).toHaveTextContent(/^smoke pinnednot run0 of 4nothing judged$/);
  expect(sums).toHaveTextContent(/^sums two sweeps1 of 425 % \(0–100 %\), 1 missing3 of 475 %/);
  expect(table.getByRole("link", { name: "3 of 4" })).toHaveAttribute(
    "href",
    `/evaluation/${uuid(62)}`,
  );
});

test("versions that nothing has measured say how to get there", async () => {
  const versions = [agentVersion({ id: uuid(312), number: 2 }), agentVersion({ id: uuid(311) })];
  server.use(
    answer("get", `/agents/${uuid(300)}`, agentDetail({ versions })),
    answer("get", "/agents/diff", { fields: [] }),
    answer("get", "/agents/versions/outcomes", []),
  );
  renderScreen({
    path: "/agents/:agentId/diff",
    element: <AgentDiffPage />,
    at: `/agents/${uuid(300)}/diff?a=1&b=2`,
  });

  expect(await screen.findByText(/No sweep has measured v1 or v2/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Compare v2 with v1 on a dataset" })).toBeVisible();
});
