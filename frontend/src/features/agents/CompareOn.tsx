/** Compares a version with another one on a dataset: leads to a sweep that only has to be started. */
import { Button, Menu } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { IconChevronDown } from "@tabler/icons-react";
import { Link } from "react-router";

import { datasetsQuery } from "@/api/datasets";
import type { AgentDetail } from "@/api/types";
import type { Numbered } from "@/features/agents/publish/usePublishing";
import { countOf } from "@/lib/format";
import { quoteValue } from "@/lib/tapeQuery";
import { visibleText } from "@/lib/visibleText";

interface CompareOnProps {
  agent: AgentDetail;
  version: Numbered;
  before: Numbered | undefined;
}

export function CompareOn({ agent, version: { id, number }, before }: CompareOnProps) {
  if (before === undefined || before.id === id) return null;
  return (
    <Menu position="bottom-end" withinPortal trigger="click-hover" openDelay={150}>
      <Menu.Target>
        <Button
          variant="subtle"
          size="compact-sm"
          rightSection={<IconChevronDown size={12} />}
          aria-label={`Compare v${number} with v${before.number} on a dataset`}
        >
          With v{before.number} on…
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Datasets
          addressOf={(dataset) =>
            addressOf({
              name: `${agent.name} ${before.number} and ${number} on ${dataset}`,
              dataset,
              versions: [before.id, id],
            })
          }
        />
      </Menu.Dropdown>
    </Menu>
  );
}

function Datasets({ addressOf }: { addressOf: (dataset: string) => string }) {
  const { data, isPending } = useInfiniteQuery(datasetsQuery());
  const datasets = data?.pages.flatMap(({ items }) => items) ?? [];
  if (isPending) return <Menu.Label>Looking for datasets…</Menu.Label>;
  if (datasets.length === 0) {
    return <Menu.Label>No dataset yet: make one of tapes you select in the list.</Menu.Label>;
  }
  return datasets.map(({ id, name, tape_count: count }) => (
    <Menu.Item key={id} component={Link} to={addressOf(name)}>
      {visibleText(name)} <span className="ts-dimmed">{countOf(count, "task")}</span>
    </Menu.Item>
  ));
}

interface Comparison {
  name: string;
  dataset: string;
  versions: readonly string[];
}

function addressOf({ name, dataset, versions }: Comparison): string {
  const asked = new URLSearchParams({
    new: "sweep",
    name: name.slice(0, 200),
    q: `dataset:${quoteValue(dataset)}`,
    agents: versions.join(","),
  });
  return `/evaluation?${asked}`;
}
