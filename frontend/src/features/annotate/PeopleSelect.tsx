import { MultiSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import { annotatorsQuery } from "@/api/queues";
import { visibleText } from "@/lib/visibleText";

interface PeopleSelectProps {
  people: readonly number[];
  onChange: (people: number[]) => void;
}

/** Chooses who may answer a queue. */
export function PeopleSelect({ people, onChange }: PeopleSelectProps) {
  const known = useQuery(annotatorsQuery());
  return (
    <MultiSelect
      label="People"
      description="Leave empty for everybody who can edit the project."
      placeholder={people.length === 0 ? "Everybody" : ""}
      searchable
      data={(known.data ?? []).map(({ id, name }) => ({
        value: String(id),
        label: visibleText(name),
      }))}
      error={known.isError ? describeError(known.error) : undefined}
      value={people.map(String)}
      onChange={(ids) => onChange(ids.map(Number))}
    />
  );
}
