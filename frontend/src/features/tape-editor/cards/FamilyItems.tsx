/** Entries of a step's menu that correct the family of a kind that the studio does not know. */
import { Menu } from "@mantine/core";
import { IconCategory } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";

import { kindFamiliesQuery, useSetKindFamily } from "@/api/kindFamilies";
import { useCanWrite } from "@/api/session";
import type { KindFamilyIn, OutlineRow } from "@/api/types";
import { stepKindsQuery } from "@/features/tape-editor/form";
import { FAMILY_WORDS } from "@/lib/families";
import { visibleText } from "@/lib/visibleText";

const FAMILIES = [
  ["thought", FAMILY_WORDS.thought],
  ["action", FAMILY_WORDS.action],
  ["stop", "Action that ends the tape"],
  ["observation", FAMILY_WORDS.observation],
  ["control", FAMILY_WORDS.control],
] as const;

type KindOfStep = Pick<OutlineRow, "kind" | "family">;

export function FamilyItems({ kind, family }: KindOfStep) {
  const canWrite = useCanWrite();
  const { data: known } = useQuery(stepKindsQuery());
  const isUnknown = known !== undefined && known.every((other) => other.kind !== kind);
  if (!canWrite || !isUnknown) return null;
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={<IconCategory size={15} />}>Family of this kind</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        <FamilyChoice kind={kind} family={family} />
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  );
}

/** Loads the kind when the choice opens: a step of the family "stop" is recorded as an "action". */
function FamilyChoice({ kind, family }: KindOfStep) {
  const { data: families } = useQuery(kindFamiliesQuery());
  const { mutate } = useSetKindFamily();
  const now = families?.find((other) => other.kind === kind)?.family ?? family;
  const set = (name: KindFamilyIn["family"]) => mutate({ kind, family: name });
  return (
    <>
      <Menu.Label>{`Every ${visibleText(kind)} in this project is`}</Menu.Label>
      <Menu.RadioGroup value={now === "stop" ? now : family}>
        {FAMILIES.map(([name, words]) => (
          <Menu.RadioItem key={name} value={name} onClick={() => set(name)}>
            {words}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Divider />
      <Menu.Item onClick={() => set(null)}>Guess it from the name</Menu.Item>
    </>
  );
}
