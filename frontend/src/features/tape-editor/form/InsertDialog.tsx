import { Autocomplete, Button, Group, Modal } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { kindSchemaQuery, stepKindsQuery } from "@/features/tape-editor/form/api";
import { isObject } from "@/lib/json";
import type { StepJson } from "@/features/tape-editor/draft";
import { type TapeModel, useActions, useEditor, useTapeModel } from "@/features/tape-editor/editor";
import { blankStep, explainKind } from "@/features/tape-editor/form/stepJson";
import { guessFamily } from "@/lib/families";

/** Asks which kind of step to insert: one of those known, or any other name. */
export function InsertDialog() {
  const index = useEditor((editor) => editor.insertingAt);
  const dispatch = useEditor((editor) => editor.dispatch);
  return (
    <Modal
      opened={index !== null}
      onClose={() => dispatch({ type: "insert.asked", index: null })}
      title={`Insert a step at ${index ?? 0}`}
      size={420}
    >
      {index !== null && <KindForm index={index} />}
    </Modal>
  );
}

function KindForm({ index }: { index: number }) {
  const model = useTapeModel();
  const actions = useActions();
  const queries = useQueryClient();
  const kinds = useQuery(stepKindsQuery());
  const [kind, setKind] = useState("");
  const [isBusy, setBusy] = useState(false);
  const known = [...(kinds.data ?? []).map((known) => known.kind), ...kindsOnTape(model)];

  const onInsert = async () => {
    const name = kind.trim();
    if (name === "" || explainKind(name) !== "" || isBusy) return;
    setBusy(true);
    // A name that nobody knows has no schema: the step begins with nothing but its kind.
    const schema = await queries.query(kindSchemaQuery(model.tape.id, name)).catch(() => null);
    const known = isObject(schema?.data_schema) ? schema.data_schema : {};
    actions.insert(index, { ...blankStep(name, known), ...written(model, index, name) });
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void onInsert();
      }}
    >
      <Autocomplete
        data-autofocus
        // A list that opens with the dialog is not yet known to its field, nor to a screen reader.
        openOnFocus={false}
        label="Kind of step"
        description="Choose a known kind, or type a new one"
        placeholder="user, assistant, tool…"
        size="sm"
        data={[...new Set(known)].sort()}
        error={explainKind(kind.trim())}
        limit={200}
        // The list itself scrolls: a frame around it would be a place without a focus.
        withScrollArea={false}
        styles={{ options: { maxHeight: 260, overflowY: "auto" } }}
        value={kind}
        onChange={setKind}
      />
      <Group justify="flex-end" mt={16}>
        <Button type="submit" disabled={kind.trim() === ""} loading={isBusy}>
          Insert
        </Button>
      </Group>
    </form>
  );
}

function kindsOnTape({ outline }: TapeModel): string[] {
  return [...outline.kinds()];
}

/**
 * What an agent would have said belongs to the agent that had the word before. What steers belongs
 * to the agent in whose run it stands, which the engine knows better: after a response, the caller.
 */
function written(model: TapeModel, index: number, kind: string): StepJson {
  if (["observation", "control"].includes(guessFamily(kind))) return {};
  for (let at = index - 1; at >= 0; at -= 1) {
    const { agent = "", node = "" } = model.steps.at(at)?.recorded ?? {};
    if (agent !== "") return { metadata: { agent, node } };
  }
  return {};
}
