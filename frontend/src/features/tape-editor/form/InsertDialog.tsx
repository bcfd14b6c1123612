import { Autocomplete, Button, Group, Modal } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { kindSchemaQuery, stepKindsQuery } from "@/features/tape-editor/form/api";
import { isObject, type JsonObject } from "@/lib/json";
import { type TapeModel, useActions, useEditor, useTapeModel } from "@/features/tape-editor/editor";
import { blankStep, explainKind } from "@/features/tape-editor/form/stepJson";
import { guessFamily } from "@/lib/families";

/** Asks which kind of step to insert: a known kind, or any other name. */
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
    // An unknown kind has no schema: the step starts with nothing but its kind.
    const schema = await queries.query(kindSchemaQuery(model.tape.id, name)).catch(() => null);
    const known = isObject(schema?.data_schema) ? schema.data_schema : {};
    const metadata = {
      ...written(model, index, name),
      ...inLane(model, index),
      ...declared(schema?.declared_family),
    };
    const signed = Object.keys(metadata).length > 0 ? { metadata } : {};
    actions.insert(index, { ...blankStep(name, known), ...signed });
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
        // A list that opens along with the dialog is not yet linked to its field for screen
        // readers.
        openOnFocus={false}
        label="Kind of step"
        description="Choose a known kind, or type a new one"
        placeholder="user, assistant, tool…"
        size="sm"
        data={[...new Set(known)].sort()}
        error={explainKind(kind.trim())}
        limit={200}
        // The list scrolls by itself: a scroll area around it could not take the focus.
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

/** A step that an agent would have written gets the agent and node of the last agent step before it.
 * A control step gets none: the engine knows better whose run it is in (after a response, the
 * caller's). */
function written(model: TapeModel, index: number, kind: string): JsonObject {
  if (["observation", "control"].includes(guessFamily(kind))) return {};
  for (let at = index - 1; at >= 0; at -= 1) {
    const { agent = "", node = "" } = model.steps.at(at)?.recorded ?? {};
    if (agent !== "") return { agent, node };
  }
  return {};
}

/** A step in the middle of a lane belongs to it. */
function inLane({ lanes }: TapeModel, index: number): JsonObject {
  const lane = lanes.at(index - 1);
  const isOver = lane?.state === "answered" && lane.last < index;
  return lane === null || isOver ? {} : { lane: lane.path };
}

/** Where the tape's agent defines the kind, its steps say what they are. */
function declared(family: string | null | undefined): JsonObject {
  return typeof family === "string" ? { other: { kind_family: family } } : {};
}
