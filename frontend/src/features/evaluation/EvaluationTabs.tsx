/** The two lists of the evaluation page. */
import { Tabs } from "@mantine/core";
import { useNavigate } from "react-router";

const TABS = [
  { value: "sweeps", label: "Sweeps", path: "/evaluation" },
  { value: "suites", label: "Suites", path: "/evaluation/suites" },
];

export function EvaluationTabs({ value }: { value: "sweeps" | "suites" }) {
  const navigate = useNavigate();
  return (
    <Tabs
      value={value}
      onChange={(chosen) =>
        void navigate(TABS.find((tab) => tab.value === chosen)?.path ?? "/evaluation")
      }
    >
      <Tabs.List aria-label="Evaluation">
        {TABS.map((tab) => (
          <Tabs.Tab key={tab.value} value={tab.value}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}
