import type { FamilyMember } from "@/api/types";
import { useFamily } from "@/features/tape-editor/map/familyContext";

/** The name of a branch, on the map and wherever a branch is chosen. */
export function BranchLabel({ member }: { member: FamilyMember }) {
  const name = useFamily().names.get(member.id);
  if (name === undefined) return null;
  const { words, models, number } = name;
  return (
    <>
      {words}
      {models !== "" && <span className="ts-dimmed"> · {models}</span>}
      {number !== "" && <span className="ts-dimmed"> {number}</span>}
    </>
  );
}
