/** A tape preview next to the table: enough to decide whether to open the tape. */
import { ActionIcon, Button } from "@mantine/core";
import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { IconArrowDown, IconArrowUp, IconX } from "@tabler/icons-react";
import { useEffect, type ReactNode } from "react";
import { Link } from "react-router";

import { ApiError, describeError } from "@/api/client";
import { useCanWrite } from "@/api/session";
import { tapePreviewQuery } from "@/api/tapes";
import type { TapePreview, TapeRow } from "@/api/types";
import { useTapeMarks } from "@/api/useTapeMarks";
import classes from "@/features/tapes/peek/peek.module.css";
import { PeekBody } from "@/features/tapes/peek/PeekBody";
import { visibleText } from "@/lib/visibleText";
import { KeyHint } from "@/ui/KeyHint";
import { OutcomeButton } from "@/ui/OutcomeButton";
import { EmptyState, ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

interface TapePeekProps {
  tapeId: string;
  /** The list's rows: the tape's own is shown until its preview loads, neighbors are prefetched. */
  rows: readonly TapeRow[];
  addressOf: (row: TapeRow) => string;
  onMove: (id: string) => void;
  onClose: () => void;
}

export function TapePeek({ tapeId, rows, addressOf, onMove, onClose }: TapePeekProps) {
  const preview = useQuery(tapePreviewQuery(tapeId));
  const at = rows.findIndex((row) => row.id === tapeId);
  const previous = at < 0 ? undefined : rows[at - 1];
  const next = rows[at + 1];
  usePrefetchedPreviews(previous?.id, next?.id);
  const row = preview.data?.tape ?? rows[at];
  return (
    <aside className={`ts-column ${classes.pane}`} aria-label="Tape preview">
      <header className={classes.header}>
        <h2 className={classes.title}>{titleOf(row)}</h2>
        <MoveButton label="Previous tape" to={previous} onMove={onMove}>
          <IconArrowUp size={16} />
        </MoveButton>
        <MoveButton label="Next tape" to={next} onMove={onMove}>
          <IconArrowDown size={16} />
        </MoveButton>
        <ActionIcon color="gray" aria-label="Close the preview" onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </header>
      {row !== undefined && (
        <div className={`ts-row ${classes.lead}`}>
          <Made row={row} preview={preview.data} />
          <Judged row={row} />
          <Button
            component={Link}
            to={addressOf(row)}
            size="compact-sm"
            ml="auto"
            rightSection={<KeyHint keys="Enter" />}
          >
            Open
          </Button>
        </div>
      )}
      <PeekState preview={preview} />
    </aside>
  );
}

function Judged({ row: { id, outcome } }: { row: TapeRow }) {
  const canWrite = useCanWrite();
  const { judge } = useTapeMarks();
  return (
    <OutcomeButton
      outcome={outcome}
      isReadOnly={!canWrite}
      onJudge={(verdict) => judge(id, verdict)}
    />
  );
}

interface MoveButtonProps {
  label: string;
  to: TapeRow | undefined;
  onMove: (id: string) => void;
  children: ReactNode;
}

function MoveButton({ label, to, onMove, children }: MoveButtonProps) {
  return (
    <ActionIcon
      color="gray"
      aria-label={label}
      disabled={to === undefined}
      onClick={() => to !== undefined && onMove(to.id)}
    >
      {children}
    </ActionIcon>
  );
}

function titleOf(row: TapeRow | undefined): string {
  if (row === undefined) return "Tape";
  return row.title === "" ? "Untitled tape" : visibleText(row.title);
}

function Made({ row, preview }: { row: TapeRow; preview: TapePreview | undefined }) {
  const version = preview?.agent_version ?? null;
  return (
    <span className="ts-truncate">
      <span className="ts-mono">{visibleText(row.agent_name) || "No agent"}</span>
      {version !== null && <span className="ts-dimmed"> version {version}</span>}
      {row.batch_name !== "" && <span className="ts-dimmed"> · {visibleText(row.batch_name)}</span>}
    </span>
  );
}

function PeekState({ preview }: { preview: UseQueryResult<TapePreview> }) {
  const retry = () => void preview.refetch();
  if (preview.isPending) return <RowsSkeleton label="Loading the tape" />;
  if (preview.data === undefined) {
    if (preview.error instanceof ApiError && preview.error.status === 404) {
      return (
        <EmptyState title="This tape no longer exists">
          It was deleted, or it belongs to another project.
        </EmptyState>
      );
    }
    return (
      <ErrorState
        title="The tape could not be loaded"
        message={describeError(preview.error)}
        onRetry={retry}
      />
    );
  }
  return (
    <>
      {preview.isError && <StaleNotice message={describeError(preview.error)} onRetry={retry} />}
      <PeekBody key={preview.data.tape.id} preview={preview.data} />
    </>
  );
}

/** Prefetches the previews of the neighboring rows, so that the next key shows one immediately. */
function usePrefetchedPreviews(...ids: (string | undefined)[]): void {
  const queries = useQueryClient();
  const wanted = ids.filter((id) => id !== undefined).join(" ");
  useEffect(() => {
    // A failure is reported when the row is previewed.
    for (const id of wanted.split(" ")) {
      if (id !== "") queries.query(tapePreviewQuery(id)).catch(() => undefined);
    }
  }, [queries, wanted]);
}
