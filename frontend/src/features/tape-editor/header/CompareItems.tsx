import { Menu } from "@mantine/core";
import { IconArrowsDiff, IconColumns2, IconColumnsOff, IconSearch } from "@tabler/icons-react";
import { Link, useSearchParams } from "react-router";

import type { FamilyMember } from "@/api/types";
import { BranchLabel, useFamily, useTapeMoves } from "@/features/tape-editor/map";
import { useTapeModel } from "@/features/tape-editor/editor";
import { countOf } from "@/lib/format";
import { OutcomeMark } from "@/ui/OutcomeMark";
import { KeyHint } from "@/ui/KeyHint";

/** The map shows more, where one branch can be dragged onto another. */
const OFFERED = 8;

interface CompareItemsProps {
  onSearch: () => void;
}

/** Menu items: tapes to compare with this one. */
export function CompareItems({ onSearch }: CompareItemsProps) {
  const { tape } = useTapeModel();
  const { members } = useFamily();
  const { compare, addressOf } = useTapeMoves(tape.id);
  const [params] = useSearchParams();
  const others = nearest(members, tape.parent_id, tape.id);
  return (
    <>
      {tape.parent_id !== null && (
        <Menu.Item
          component={Link}
          to={`/t/${tape.parent_id}/diff/${tape.id}`}
          leftSection={<IconArrowsDiff size={15} />}
          rightSection={<KeyHint keys="d" />}
        >
          Diff with parent
        </Menu.Item>
      )}
      <Menu.Label>Beside this tape</Menu.Label>
      {others.map((member) => (
        <Menu.Item
          key={member.id}
          leftSection={<IconColumns2 size={15} />}
          rightSection={<Standing member={member} isParent={member.id === tape.parent_id} />}
          onClick={() => compare(tape.id, member.id)}
        >
          <BranchLabel member={member} />
        </Menu.Item>
      ))}
      <Menu.Item leftSection={<IconSearch size={15} />} onClick={onSearch}>
        Another tape
      </Menu.Item>
      {params.has("cmp") && (
        <Menu.Item
          component={Link}
          to={addressOf(tape.id)}
          leftSection={<IconColumnsOff size={15} />}
        >
          Stop comparing
        </Menu.Item>
      )}
    </>
  );
}

/** What distinguishes branches of the same name: parent, outcome, length. */
function Standing({ member, isParent }: { member: FamilyMember; isParent: boolean }) {
  const { outcome, step_count: count } = member;
  return (
    <span className="ts-inline ts-dimmed">
      {isParent && "parent, "}
      {countOf(count, "step")}
      {outcome !== "" && <OutcomeMark outcome={outcome} />}
    </span>
  );
}

/** The parent first, then its other branches and those of this tape, newest first. */
function nearest(members: readonly FamilyMember[], parentId: string | null, id: string) {
  const others = members.filter((member) => member.id !== id && !member.is_archived);
  const rank = (member: FamilyMember) =>
    member.id === parentId ? 0 : member.parent_id === parentId || member.parent_id === id ? 1 : 2;
  return others
    .toSorted(
      (one, other) => rank(one) - rank(other) || other.created_at.localeCompare(one.created_at),
    )
    .slice(0, OFFERED);
}
