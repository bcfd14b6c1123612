/** A query for tapes, with the number of tapes that it finds. */
import { TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import { tapeCountQuery } from "@/api/tags";
import { countOf } from "@/lib/format";

interface TapeQueryProps {
  label?: string;
  description?: string;
  query: string;
  /** Why these tapes cannot be used. */
  problem?: string | undefined;
  onChange: (query: string) => void;
}

export function TapeQuery({
  label = "Tapes",
  description = "A query as in the list of tapes, such as dataset:good outcome:pass; empty for all",
  query,
  problem,
  onChange,
}: TapeQueryProps) {
  const count = useQuery(tapeCountQuery({ q: query }));
  const none = count.data === 0 ? "No tape matches this query." : undefined;
  return (
    <TextInput
      label={label}
      description={description}
      value={query}
      error={count.isError ? describeError(count.error) : (problem ?? none)}
      rightSectionWidth={88}
      rightSection={
        count.data !== undefined && (
          <span className="ts-hint ts-number">{countOf(count.data, "tape")}</span>
        )
      }
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
