/** Chooses what the next note is about: the complete step or one of its fields. */
import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { stepsQuery } from "@/api/tapes";
import { LONGEST_FIELD } from "@/features/tape-editor/notes/anchors";
import { useTapeModel } from "@/features/tape-editor/editor";
import { writePointer } from "@/lib/jsonPointer";
import { cutText, visibleText } from "@/lib/visibleText";

const NO_FIELDS = new Set(["kind", "metadata"]);
const SHOWN_NAME = 60;

interface FieldChoiceProps {
  position: number;
  /** As a JSON pointer; empty: the complete step. */
  field: string;
  onChange: (field: string) => void;
}

export function FieldChoice({ position, field, onChange }: FieldChoiceProps) {
  const { tape } = useTapeModel();
  const step = useQuery({ ...stepsQuery(tape.id, position, 1), staleTime: Infinity });
  const names = Object.keys(step.data?.items[0]?.body ?? {}).filter((name) => !NO_FIELDS.has(name));
  const fields = names
    .map((name) => ({
      value: writePointer([name]),
      label: `Its field ${visibleText(cutText(name, SHOWN_NAME))}`,
    }))
    .filter(({ value }) => value.length <= LONGEST_FIELD);
  return (
    <NativeSelect
      size="xs"
      mb={4}
      aria-label="About"
      data={[{ value: "", label: "The whole step" }, ...fields]}
      value={field}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
