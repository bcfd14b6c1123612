/** Who labels the states that a student came to, and which sets its labels join. */
import { MultiSelect, Select } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";

import { modelsQuery } from "@/api/models";
import { trainingSetsQuery } from "@/api/training";
import { visibleText } from "@/lib/visibleText";

const OWN = "";

export interface TeacherChoice {
  /** `null`: the model that each tape's agent names. */
  teacherId: string | null;
  joined: string[];
}

interface TeacherFieldsProps {
  choice: TeacherChoice;
  onChange: (choice: TeacherChoice) => void;
}

export function TeacherFields({ choice, onChange }: TeacherFieldsProps) {
  const models = useQuery(modelsQuery());
  const sets = useInfiniteQuery(trainingSetsQuery());
  const rows = sets.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <Select
        label="Teacher"
        description="Each prompt of the tapes is asked of it anew, at its price"
        allowDeselect={false}
        data={[
          { value: OWN, label: "The model that the agent names" },
          ...(models.data ?? []).map(({ id, name }) => ({ value: id, label: visibleText(name) })),
        ]}
        value={choice.teacherId ?? OWN}
        onChange={(value) => onChange({ ...choice, teacherId: value === OWN ? null : value })}
      />
      <MultiSelect
        label="Join"
        description="Sets whose examples come first; they must hold out the same share"
        searchable
        data={rows
          .filter(({ kind }) => kind === "chat")
          .map(({ id, name }) => ({ value: id, label: visibleText(name) }))}
        value={choice.joined}
        onChange={(joined) => onChange({ ...choice, joined })}
      />
    </>
  );
}
