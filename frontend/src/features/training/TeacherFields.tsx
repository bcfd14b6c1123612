/** Chooses who labels the states that a student reached, and which sets the labels join. */
import { MultiSelect, Select } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";

import { modelsQuery } from "@/api/models";
import { rowsOf } from "@/api/pages";
import { trainingSetsQuery } from "@/api/training";
import { optionsOf } from "@/lib/options";

const OWN = "";

interface TeacherChoice {
  /** `null`: the model that each tape's agent names. */
  teacherId: string | null;
  joined: string[];
}

interface TeacherFieldsProps {
  choice: TeacherChoice;
  onChange: (choice: Partial<TeacherChoice>) => void;
}

interface TeacherSelectProps {
  value: string | null;
  onChange: (value: string | null) => void;
}

export function TeacherSelect({ value, onChange }: TeacherSelectProps) {
  const models = useQuery(modelsQuery());
  return (
    <Select
      label="Teacher"
      description="Answers each prompt of the tapes again, at its price"
      allowDeselect={false}
      data={[{ value: OWN, label: "Agent default" }, ...optionsOf(models.data ?? [])]}
      value={value ?? OWN}
      onChange={(chosen) => onChange(chosen === OWN ? null : chosen)}
    />
  );
}

export function TeacherFields({ choice, onChange }: TeacherFieldsProps) {
  const sets = useInfiniteQuery(trainingSetsQuery());
  const rows = rowsOf(sets.data);
  return (
    <>
      <TeacherSelect value={choice.teacherId} onChange={(teacherId) => onChange({ teacherId })} />
      <MultiSelect
        label="Join"
        description="Earlier sets to build on; they must hold out the same share"
        searchable
        data={optionsOf(rows.filter(({ kind }) => kind === "chat"))}
        value={choice.joined}
        onChange={(joined) => onChange({ joined })}
      />
    </>
  );
}
