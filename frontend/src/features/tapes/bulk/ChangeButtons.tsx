/** Pin, archive, mark and delete the selected tapes; each can be undone from a toast. */
import { Button } from "@mantine/core";
import {
  IconArchive,
  IconArchiveOff,
  IconPin,
  IconPinnedOff,
  IconSchool,
  IconTrash,
} from "@tabler/icons-react";

import { useChangeTapes } from "@/api/tapeChanges";
import type { TapeChange, TapeRow } from "@/api/types";
import type { Chosen } from "@/features/tapes/bulk/chosen";
import { ConfirmButton } from "@/ui/ConfirmButton";
import { TrainingMenu } from "@/ui/TrainingMenu";

interface ChangeButtonsProps {
  chosen: Chosen;
  /** The checked rows; for a whole list they are a sample that decides how the buttons toggle. */
  sample: readonly TapeRow[];
  onDone: () => void;
}

export function ChangeButtons({ chosen, sample, onDone }: ChangeButtonsProps) {
  const changes = useChangeTapes();
  const arePinned = sample.every((row) => row.is_pinned);
  const areArchived = sample.every((row) => row.is_archived);
  const change = (what: TapeChange, done: string) => {
    changes.mutate({ selection: chosen.conditions, change: what, done });
  };
  const leave = (what: TapeChange, done: string) => {
    change(what, done);
    onDone();
  };
  const remove = () => leave({ is_deleted: true }, "deleted");
  return (
    <>
      <Button
        variant="default"
        leftSection={arePinned ? <IconPinnedOff size={14} /> : <IconPin size={14} />}
        onClick={() => leave({ is_pinned: !arePinned }, arePinned ? "unpinned" : "pinned")}
      >
        {arePinned ? "Unpin" : "Pin"}
      </Button>
      <Button
        variant="default"
        leftSection={areArchived ? <IconArchiveOff size={14} /> : <IconArchive size={14} />}
        onClick={() => leave({ is_archived: !areArchived }, areArchived ? "restored" : "archived")}
      >
        {areArchived ? "Restore" : "Archive"}
      </Button>
      <TrainingMenu
        isKept={sample.every((row) => row.is_kept_from_training)}
        split={commonSplit(sample)}
        onChange={(what) => change(what, "marked")}
      >
        <Button variant="default" leftSection={<IconSchool size={14} />}>
          Training
        </Button>
      </TrainingMenu>
      {chosen.rows.length > 0 ? (
        <Button variant="default" leftSection={<IconTrash size={14} />} onClick={remove}>
          Delete
        </Button>
      ) : (
        <ConfirmButton
          leftSection={<IconTrash size={14} />}
          question={`Delete ${chosen.words} of the list? You can undo this for a day.`}
          confirm="Delete them"
          onConfirm={remove}
        >
          Delete
        </ConfirmButton>
      )}
    </>
  );
}

function commonSplit(rows: readonly TapeRow[]): TapeRow["split"] | null {
  const [first] = rows;
  return first !== undefined && rows.every(({ split }) => split === first.split)
    ? first.split
    : null;
}
