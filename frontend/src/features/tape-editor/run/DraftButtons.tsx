import { Button } from "@mantine/core";
import { IconGitFork } from "@tabler/icons-react";

import type { Autosave } from "@/features/tape-editor/saving";
import classes from "@/features/tape-editor/run/run.module.css";
import { useDiscard, useSaveFork } from "@/features/tape-editor/run/useResume";
import { ConfirmButton } from "@/ui/ConfirmButton";

/** What can be done with a draft apart from running it. */
export function DraftButtons({ autosave }: { autosave: Autosave }) {
  const saveFork = useSaveFork(autosave);
  const discard = useDiscard();
  return (
    <span className={`ts-row ${classes.draft}`}>
      <Button
        variant="default"
        leftSection={<IconGitFork size={14} />}
        loading={saveFork.isPending}
        title="Create the child without running anything"
        onClick={() => saveFork.mutate()}
      >
        Save as a revision
      </Button>
      <ConfirmButton
        variant="subtle"
        color="gray"
        question="Discard all changes in this draft? The tape itself does not change."
        confirm="Discard"
        loading={discard.isPending}
        onConfirm={() => discard.mutate()}
      >
        Discard
      </ConfirmButton>
    </span>
  );
}
