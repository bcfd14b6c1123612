/** The field in which one looks for words in the tape, and what was found. */
import { CloseButton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import type { RefObject } from "react";

import classes from "@/features/tape-editor/map/map.module.css";
import type { Found } from "@/features/tape-editor/map/useFind";
import { countOf } from "@/lib/format";

export interface Find {
  search: string;
  onSearch: (text: string) => void;
  found: Found;
  field: RefObject<HTMLInputElement | null>;
}

export function FindBar({ find, stepCount }: { find: Find; stepCount: number }) {
  const { search, onSearch, found, field } = find;
  return (
    <div className={classes.find}>
      <TextInput
        ref={field}
        aria-label="Find in tape"
        placeholder="Find in tape"
        leftSection={<IconSearch size={14} stroke={1.75} />}
        rightSection={
          search !== "" && (
            <CloseButton size={20} aria-label="Clear the search" onClick={() => onSearch("")} />
          )
        }
        value={search}
        onChange={({ currentTarget }) => onSearch(currentTarget.value)}
        onKeyDown={(event) => {
          // Enter leads back to the steps, where n and N go from hit to hit.
          if (event.key === "Enter") event.currentTarget.blur();
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
