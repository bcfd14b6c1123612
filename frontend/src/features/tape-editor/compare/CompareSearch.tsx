/** Finds any tape to compare with the open one. */
import { Modal, TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { describeError } from "@/api/client";
import { recentTapesQuery } from "@/api/tapes";
import type { TapeRow } from "@/api/types";
import classes from "@/features/tape-editor/compare/compare.module.css";
import { useTapeModel } from "@/features/tape-editor/editor";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { RelativeTime } from "@/ui/Quantities";
import { ErrorState, RowsSkeleton } from "@/ui/States";

interface CompareSearchProps {
  isOpen: boolean;
  onClose: () => void;
  onChoose: (tapeId: string) => void;
}

export function CompareSearch({ isOpen, onClose, onChoose }: CompareSearchProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Compare with" size={560}>
      <Choice
        onChoose={(tapeId) => {
          onClose();
          onChoose(tapeId);
        }}
      />
    </Modal>
  );
}

function Choice({ onChoose }: Pick<CompareSearchProps, "onChoose">) {
  const { tape } = useTapeModel();
  const [search, setSearch] = useState("");
  const [wanted] = useDebouncedValue(search, 150);
  const tapes = useQuery(recentTapesQuery(wanted));
  const found = (tapes.data ?? []).filter(({ id }) => id !== tape.id);
  return (
    <>
      <TextInput
        data-autofocus
        aria-label="Find a tape"
        placeholder="Words in the tape or its title"
        leftSection={<IconSearch size={14} stroke={1.75} />}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      {tapes.isPending && <RowsSkeleton rows={4} label="Searching tapes" />}
      {tapes.isError && (
        <ErrorState
          title="The tapes could not be searched"
          message={describeError(tapes.error)}
          onRetry={() => void tapes.refetch()}
        />
      )}
      {tapes.isSuccess && found.length === 0 && (
        <p className={classes.nothing}>No other tape matches. Try fewer words.</p>
      )}
      <ul className={classes.list}>
        {found.map((row) => (
          <li key={row.id}>
            <Line row={row} onChoose={onChoose} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Line({ row, onChoose }: { row: TapeRow } & Pick<CompareSearchProps, "onChoose">) {
  const title = row.title === "" ? "Untitled tape" : visibleText(row.title);
  return (
    <UnstyledButton className={classes.line} onClick={() => onChoose(row.id)} title={title}>
      <span className={`ts-truncate ${classes.title}`}>{title}</span>
      <span className={`ts-hint ${classes.facts}`}>
        {row.agent_name !== "" && <span>{visibleText(row.agent_name)}</span>}
        <span>{countOf(row.step_count, "step")}</span>
        <RelativeTime value={row.created_at} />
      </span>
    </UnstyledButton>
  );
}
