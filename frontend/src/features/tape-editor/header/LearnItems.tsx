/** Makes a training set from the open tape; from an edited one, also of a person's steps alone. */
import { Menu } from "@mantine/core";
import { useNavigate } from "react-router";

import { useFamilyQuery } from "@/api/families";
import type { TrainingSetRequest } from "@/api/types";
import { useTapeModel } from "@/features/tape-editor/editor";

type Use = Partial<Pick<TrainingSetRequest, "source" | "writer">> & { name: string };

const NAME_LENGTH = 200;

export function LearnItems() {
  const { tape } = useTapeModel();
  const family = useFamilyQuery(tape.id);
  const navigate = useNavigate();
  const edits = family.data?.items.find(({ id }) => id === tape.id)?.edits ?? [];
  const isEdited = tape.parent_id !== null && edits.length > 0;
  const open = ({ source = "recorded", writer = "anyone", name }: Use) => {
    const params = new URLSearchParams({
      tab: "sets",
      new: "set",
      source,
      writer,
      name: `${name} ${tape.title}`.trim().slice(0, NAME_LENGTH),
    });
    void navigate(`/training?${params.toString()}`, { state: { tapeIds: [tape.id] } });
  };
  return (
    <>
      <Menu.Label>Use for training</Menu.Label>
      {isEdited && (
        <>
          <Menu.Item onClick={() => open({ source: "rebuilt", writer: "person", name: "Edit of" })}>
            Imitate the edited answers…
          </Menu.Item>
          <Menu.Item onClick={() => open({ source: "edits", name: "Edit preferred in" })}>
            Prefer the edit to the original…
          </Menu.Item>
        </>
      )}
      <Menu.Item
        onClick={() => open({ source: isEdited ? "rebuilt" : "recorded", name: "All of" })}
      >
        Imitate the whole tape…
      </Menu.Item>
      <Menu.Divider />
    </>
  );
}
