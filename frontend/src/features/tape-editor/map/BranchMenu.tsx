import { ActionIcon, Menu } from "@mantine/core";
import {
  IconArchive,
  IconArchiveOff,
  IconColumns2,
  IconDots,
  IconPin,
  IconPinnedOff,
} from "@tabler/icons-react";

import type { FamilyMember } from "@/api/types";
import { useTapeMarks } from "@/api/useTapeMarks";
import classes from "@/features/tape-editor/map/branchMap.module.css";
import { useFamily } from "@/features/tape-editor/map/familyContext";
import { useTapeMoves } from "@/features/tape-editor/map/useCompare";

/** What can be done with a branch without opening it. */
export function BranchMenu({ member }: { member: FamilyMember }) {
  const { openId } = useFamily();
  const { compare } = useTapeMoves(openId);
  const marks = useTapeMarks();
  const { id, is_pinned: isPinned, is_archived: isArchived } = member;
  return (
    <Menu position="bottom-end" width={200} withinPortal>
      <Menu.Target>
        <ActionIcon className={classes.more} size={20} aria-label="More for this branch">
          <IconDots size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {id !== openId && (
          <Menu.Item leftSection={<IconColumns2 size={15} />} onClick={() => compare(openId, id)}>
            Compare with this tape
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={isPinned ? <IconPinnedOff size={15} /> : <IconPin size={15} />}
          onClick={() => marks.pin(id, !isPinned)}
        >
          {isPinned ? "Unpin" : "Pin"}
        </Menu.Item>
        <Menu.Item
          leftSection={isArchived ? <IconArchiveOff size={15} /> : <IconArchive size={15} />}
          onClick={() => (isArchived ? marks.restore([id]) : marks.archive([id]))}
        >
          {isArchived ? "Restore" : "Archive"}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
