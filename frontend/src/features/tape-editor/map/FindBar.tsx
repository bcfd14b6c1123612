/** The field for finding text in the tape, and the result. */
import { CloseButton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import type { RefObject } from "react";

import { useActions } from "@/features/tape-editor/editor";
import { nextStep } from "@/features/tape-editor/map/find";
import classes from "@/features/tape-editor/map/map.module.css";
import type { Found } from "@/features/tape-editor/map/useFind";
import { countOf } from "@/lib/format";

export interface Find {
  search: string;
  onSearch: (text: string) => void;
  found: Found;
  field: RefObject<HTMLInputElement | null>;
}

interface FindBarProps {
  find: Find;
  stepCount: number;
  selected: number | null;
}

export function FindBar({ find, stepCount, selected }: FindBarProps) {
  const { search, onSearch, found, field } = find;
  const { select } = useActions();
  return (
    <div className={classes.find}>
      <TextInput
        ref={field}
        aria-label="Find in tape"
        placeholder="Find in tape"
        title="Enter goes to the next hit, Shift Enter to the previous one"
        leftSection={<IconSearch size={14} stroke={1.75} />}
        rightSection={
          search !== "" && (
            <CloseButton size={20} aria-label="Clear the search" onClick={() => onSearch("")} />
          )
        }
        value={search}
        onChange={({ currentTarget }) => onSearch(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.nativeEvent.isComposing || search === "") return;
          event.preventDefault();
          const next = nextStep(found.lines, selected, event.shiftKey ? -1 : 1);
          if (next !== null) select(next);
        }}
      />
      {search !== "" && (
        <div className={`ts-caption ${classes.found}`} role="status">
          {describe(found, stepCount)}
        </div>
      )}
    </div>
  );
}

function describe(found: Found, stepCount: number): string {
  if (found.problem !== "") return found.problem;
  if (found.isSearching && found.lines.length === 0) return "Searching…";
  const more = found.isCut ? "the first " : "";
  return `${more}${countOf(found.lines.length, "step")} of ${stepCount}`;
}
