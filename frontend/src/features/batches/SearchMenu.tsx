/** Saved searches that can be compared like batches. */
import { Button, Checkbox, Popover, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconFilter } from "@tabler/icons-react";

import { describeError } from "@/api/client";
import { lensesQuery } from "@/api/lenses";
import { visibleText } from "@/lib/visibleText";
import { useCheckRange } from "@/ui/useCheckRange";

interface SearchMenuProps {
  selected: ReadonlySet<string>;
  onToggle: (ids: readonly string[]) => void;
}

export function SearchMenu({ selected, onToggle }: SearchMenuProps) {
  const lenses = useQuery(lensesQuery());
  const ids = lenses.data?.map(({ id }) => id) ?? [];
  const flipped = useCheckRange(ids, (id) => selected.has(id));
  const count = lenses.data?.filter(({ id }) => selected.has(id)).length ?? 0;
  return (
    <Popover position="bottom-end" width={280} trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconFilter size={14} />}>
          {count === 0 ? "Saved searches" : `Saved searches: ${count}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Saved searches">
        <Stack gap={8}>
          <Text size="xs" c="dimmed">
            Lenses from the Tapes page: their newest tapes are compared like a batch.
          </Text>
          {lenses.isPending ? (
            <Text size="sm">Loading …</Text>
          ) : lenses.data === undefined ? (
            <Text size="sm">{describeError(lenses.error)}</Text>
          ) : lenses.data.length === 0 ? (
            <Text size="sm">No saved searches yet. Save one as a lens on the Tapes page.</Text>
          ) : (
            lenses.data.map(({ id, name }) => (
              <Checkbox
                key={id}
                label={visibleText(name)}
                checked={selected.has(id)}
                onChange={(event) => onToggle(flipped(id, event))}
              />
            ))
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
