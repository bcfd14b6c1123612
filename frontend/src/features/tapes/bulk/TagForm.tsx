import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";

import { describeError } from "@/api/client";
import { useChangeTags, useTagNames } from "@/api/tags";
import { countTags, type Chosen } from "@/features/tapes/bulk/chosen";
import { formatExact } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { TagField } from "@/ui/TagField";

const SHOWN = 8;

interface TagFormProps {
  chosen: Chosen;
  onDone: () => void;
}

export function TagForm({ chosen, onDone }: TagFormProps) {
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const change = useChangeTags();
  const known = useTagNames();
  const present = countTags(chosen.rows);
  const hasRows = chosen.rows.length > 0;
  const both = add.find((tag) => remove.includes(tag));
  return (
    <form
      aria-label="Change tags"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ ...chosen.conditions, add, remove }, { onSuccess: onDone });
      }}
    >
      <Stack gap={12}>
        <TagField
          label="Add"
          placeholder="Type a tag, then Enter"
          known={known}
          value={add}
          onChange={setAdd}
        />
        <TagField
          label="Remove"
          description={hasRows && describePresent(chosen, present)}
          placeholder="Tags to remove"
          known={hasRows ? present.map(({ name }) => name) : known}
          value={remove}
          onChange={setRemove}
        />
        {both !== undefined && (
          <p role="alert">“{visibleText(both)}” cannot be both added and removed.</p>
        )}
        {change.isError && <p role="alert">{describeError(change.error)}</p>}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={change.isPending}
            disabled={both !== undefined || add.length + remove.length === 0}
          >
            Change tags
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function describePresent({ rows }: Chosen, present: ReturnType<typeof countTags>): string {
  if (present.length === 0) return "None of them have tags";
  const words = present
    .slice(0, SHOWN)
    .map(({ name, count }) =>
      count === rows.length ? visibleText(name) : `${visibleText(name)} (${formatExact(count)})`,
    );
  const more = present.length - words.length;
  return `Current tags: ${words.join(", ")}${more > 0 ? ` and ${formatExact(more)} more` : ""}`;
}
