/** Entries of a step's menu that correct the family of a kind which the studio does not know. */
import { Menu } from "@mantine/core";
import { IconCategory } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";

import { useSetKindFamily } from "@/api/kindFamilies";
import { useCanWrite } from "@/api/session";
import type { KindFamilyIn, OutlineRow } from "@/api/types";
import { stepKindsQuery } from "@/features/tape-editor/form";
import { FAMILY_WORDS } from "@/lib/families";
import { visibleText } from "@/lib/visibleText";

const FAMILIES = ["thought", "action", "observation", "control"] as const;

export function FamilyItems({ kind, family }: Pick<OutlineRow, "kind" | "family">) {
  const canWrite = useCanWrite();
  const { data: known } = useQuery(stepKindsQuery());
  const { mutate } = useSetKindFamily();
  const isUnknown = known !== undefined && known.every((other) => other.kind !== kind);
  if (!canWrite || !isUnknown) return null;
  const set = (chosen: KindFamilyIn["family"]) => mutate({ kind, family: chosen });
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={<IconCategory size={15} />}>Family of this kind</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        <Menu.Label>{`Every ${visibleText(kind)} in this project is`}</Menu.Label>
        <Menu.RadioGroup value={family}>
          {FAMILIES.map((name) => (
            <Menu.RadioItem key={name} value={name} onClick={() => set(name)}>
              {FAMILY_WORDS[name]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item onClick={() => set(null)}>Guess it from the name</Menu.Item>
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  );
}
