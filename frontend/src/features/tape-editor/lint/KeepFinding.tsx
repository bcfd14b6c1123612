/** Keeps a linter finding as a note, for later readers of the tape and for exports. */
import { ActionIcon } from "@mantine/core";
import { IconMessageCheck, IconMessagePlus } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { keepFinding } from "@/api/lint";
import { useCanWrite } from "@/api/session";
import { showFailure } from "@/api/showFailure";
import type { Finding } from "@/api/types";
import { notesQuery, useNotesOf } from "@/features/tape-editor/notes";
import { useTapeModel } from "@/features/tape-editor/editor";

export function KeepFinding({ finding }: { finding: Finding }) {
  const { detector, position } = finding;
  const { tape } = useTapeModel();
  const canWrite = useCanWrite();
  const queries = useQueryClient();
  const isKept = useNotesOf(position).some(
    ({ source, source_name }) => source === "linter" && source_name === detector,
  );
  const keep = useMutation({
    mutationFn: () => keepFinding(tape.id, detector, position),
    onSuccess: () => queries.invalidateQueries({ queryKey: notesQuery(tape.id).queryKey }),
    onError: (error) => showFailure("The finding was not kept", error),
  });
  if (!canWrite) return null;
  const label = isKept ? "Kept as a note" : "Keep as a note";
  const Icon = isKept ? IconMessageCheck : IconMessagePlus;
  return (
    <ActionIcon
      size={20}
      variant="subtle"
      aria-label={label}
      title={label}
      disabled={isKept}
      loading={keep.isPending}
      onClick={() => keep.mutate()}
    >
      <Icon size={14} stroke={1.75} />
    </ActionIcon>
  );
}
