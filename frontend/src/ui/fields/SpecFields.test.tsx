import { render, screen } from "@testing-library/react";
import { MantineProvider } from "@mantine/core";
import { expect, test } from "vitest";

import { SpecFields } from "@/ui/fields/SpecFields";

test("parts of an agent that came, went or moved are told in a sentence each", () => {
  const plan = { type: "builders.MonoNode", name: "plan", steps: ["Verdict"] };
  const fields = [
    { path: "nodes.plan", op: "added" as const, old: null, new: plan, words: null },
    {
      path: "nodes (order)",
      op: "changed" as const,
      old: ["b", "a"],
      new: ["a", "b"],
      words: null,
    },
    {
      path: "subagents.clerk.nodes.say",
      op: "removed" as const,
      old: { name: "say", type: "x.Say" },
      new: null,
      words: null,
    },
    { path: "nodes.a.tools", op: "added" as const, old: null, new: ["add"], words: null },
  ];

  render(
    <MantineProvider>
      <SpecFields fields={fields} isUnified />
    </MantineProvider>,
  );

  expect(screen.getByText('Node added: plan (builders.MonoNode): steps ["Verdict"]')).toBeVisible();
  expect(screen.getByText("New order of nodes: a, b")).toBeVisible();
  expect(screen.getByText("Node removed in clerk: say (x.Say)")).toBeVisible();
  expect(screen.getByText("nodes.a.tools")).toBeVisible();
});
