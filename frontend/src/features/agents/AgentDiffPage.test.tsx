import { screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { agentQuery } from "@/api/agents";
import { AgentDiffPage } from "@/features/agents/AgentDiffPage";
import { answer, refuse } from "@/testing/answers";
import { agentDetail, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

test("versions that cannot be loaded anew stay, and say so", async () => {
  server.use(
    answer("get", `/agents/${uuid(300)}`, agentDetail()),
    answer("get", "/agents/diff", { fields: [] }),
    answer("get", `/agents/${uuid(300)}/suites`, []),
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
