/** Keeps what the linter found as a note, for who reads the tape later and for exports. */
import { ActionIcon } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconMessageCheck, IconMessagePlus } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import { keepFinding } from "@/api/lint";
import { useCanWrite } from "@/api/session";
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
    onError: (error) => notifications.show({ message: describeError(error), color: "red" }),
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
