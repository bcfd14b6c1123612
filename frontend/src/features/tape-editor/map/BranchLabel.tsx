import type { FamilyMember } from "@/api/types";
import { shortWords } from "@/features/tape-editor/fixes";
import { labelOf, otherModels } from "@/features/tape-editor/map/branchColours";
import { useFamily } from "@/features/tape-editor/map/familyContext";
import { visibleText } from "@/lib/visibleText";

/** What a branch is called, on the map and wherever one is chosen. */
export function BranchLabel({ member }: { member: FamilyMember }) {
  const { members } = useFamily();
  const parent = members.find(({ id }) => id === member.parent_id);
  const models = otherModels(member, members);
  return (
    <>
      {shortWords(visibleText(labelOf(member, parent)))}
      {models !== "" && <span className="ts-dimmed"> · {visibleText(models)}</span>}
    </>
  );
}
