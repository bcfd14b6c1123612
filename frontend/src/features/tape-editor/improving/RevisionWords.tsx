/** A revision: which fields of which step it rewrites, and the button that writes it there. */
import { Anchor, Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { IconWand } from "@tabler/icons-react";
import { Link, useNavigate } from "react-router";

import { ForWriters } from "@/api/ForWriters";
import { showFailure } from "@/api/showFailure";
import { writeRevision } from "@/api/tapes";
import { useTapeModel } from "@/features/tape-editor/editor";
import {
  changedFields,
  improvedIn,
  type Revision,
} from "@/features/tape-editor/improving/revision";
import { FieldDiff } from "@/ui/fields/FieldDiff";
import { offerWays } from "@/ui/undoToast";

interface RevisionWordsProps {
  revision: Revision;
  /** Where its step was recorded; `null`: it is inserted or edited, and not saved yet. */
  origin: number | null;
}

export function RevisionWords({ revision, origin }: RevisionWordsProps) {
  const { tape } = useTapeModel();
  const improved = improvedIn(tape.context);
  return (
    <div className="ts-stack">
      <p>
        Step {revision.position} of{" "}
        {improved === null ? (
          "the given tape"
        ) : (
          <Anchor component={Link} to={`/t/${improved}?step=${revision.position}`} size="sm">
            the improved tape
          </Anchor>
        )}{" "}
        is rewritten:
      </p>
      {changedFields(revision).map((field) => (
        <FieldDiff key={field.path} field={field} isUnified />
      ))}
      <ForWriters>
        <Writing improved={improved} origin={origin} position={revision.position} />
      </ForWriters>
    </div>
  );
}

interface WritingProps {
  improved: string | null;
  origin: number | null;
  position: number;
}

function Writing({ improved, origin, position }: WritingProps) {
  const { tape } = useTapeModel();
  const navigate = useNavigate();
  const write = useMutation({
    mutationFn: (at: number) => writeRevision(tape.id, at),
    onSuccess: ({ tape_id: child }) => {
      void navigate(`/t/${child}?step=${position}`);
      const compare = () => void navigate(`/t/${improved}/diff/${child}`);
      offerWays("The revision is a fork of the improved tape", [
        { words: "Compare with the original", run: compare },
      ]);
    },
    onError: (error) => showFailure("The revision was not written", error),
  });
  if (improved === null) {
    return (
      <p className="ts-hint">
        This tape does not name the tape that it improves: start with Improve in the menu of that
        tape.
      </p>
    );
  }
  if (origin === null) return <p className="ts-hint">Save the edit to write it into the tape.</p>;
  return (
    <Button
      style={{ alignSelf: "flex-start" }}
      leftSection={<IconWand size={14} />}
      title="Makes a fork of the improved tape that ends with the rewritten step; the tape itself stays as it is"
      loading={write.isPending}
      onClick={(event) => {
        event.stopPropagation();
        write.mutate(origin);
      }}
    >
      Write into the tape
    </Button>
  );
}
