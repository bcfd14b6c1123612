import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { AgentsPage } from "@/features/agents/AgentsPage";
import { answer } from "@/testing/answers";
import { agentRow, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

test("each agent says how much it was used, how often it passed and what a tape cost", async () => {
  server.use(
    answer("get", "/agents", [
      agentRow({ id: uuid(3), name: "chat" }),
      agentRow({ id: uuid(4), name: "new" }),
    ]),
    answer("get", "/agents/use", [
      {
        agent_id: uuid(3),
        tape_count: 4,
        passed_count: 2,
        failed_count: 1,
        cost_micro_usd: 40_000,
        llm_call_count: 8,
        unpriced_call_count: 0,
        last_used_at: new Date().toISOString(),
      },
    ]),
    answer("get", "/gallery", []),
  );
  renderScreen({ path: "/agents", element: <AgentsPage /> });

  const used = await screen.findByRole("row", { name: /chat/ });
  expect(await within(used).findByText("67 %")).toHaveAttribute(
    "title",
    "2 of 3 tapes with an outcome passed",
  );
  expect(within(used).getByText("4")).toBeVisible();
  expect(within(used).getByText("$0.0100")).toBeVisible();
  const unused = screen.getByRole("row", { name: /new/ });
  expect(within(unused).getByTitle("No tape has an outcome yet")).toBeVisible();
  expect(within(unused).queryByText(/\$/)).toBeNull();
});
