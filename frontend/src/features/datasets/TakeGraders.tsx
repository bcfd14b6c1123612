/** Imports the graders of an OpenAI Evals definition, and shows the result for each. */
import { Button, FileInput, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import * as v from "valibot";

import { describeError } from "@/api/client";
import { useTakeDefinition } from "@/api/datasetVersions";
import { modelsQuery } from "@/api/models";
import type { MappedDefinition } from "@/api/types";
import { optionsOf } from "@/lib/options";
import { visibleText } from "@/lib/visibleText";

interface TakeGradersProps {
  datasetId: string;
  isOpen: boolean;
  onClose: () => void;
}

export function TakeGraders({ datasetId, isOpen, onClose }: TakeGradersProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Graders of OpenAI Evals" size={560}>
      <GraderForm datasetId={datasetId} onDone={onClose} />
    </Modal>
  );
}

const definitionOf = v.union([
  v.pipe(
    v.array(v.unknown()),
    v.transform((graders): Record<string, unknown> => ({ testing_criteria: graders })),
  ),
  v.record(v.string(), v.unknown()),
]);

function GraderForm({ datasetId, onDone }: { datasetId: string; onDone: () => void }) {
  const models = useQuery(modelsQuery());
  const take = useTakeDefinition(datasetId);
  const [file, setFile] = useState<File | null>(null);
  const [message, setMessage] = useState("item.input");
  const [expected, setExpected] = useState("item.ground_truth");
  const [judge, setJudge] = useState<string | null>(null);
  const [problem, setProblem] = useState("");
  const send = async (chosen: File) => {
    const definition = await readDefinition(chosen);
    if (definition === null) {
      setProblem("This is not an eval definition: the file must hold one JSON object.");
      return;
    }
    setProblem("");
    take.mutate({ definition, message, expected, judge_id: judge });
  };
  if (take.data !== undefined) return <Mapped mapped={take.data} onDone={onDone} />;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (file !== null) void send(file);
      }}
    >
      <Stack gap={12}>
        <p className="ts-hint">
          String checks and model graders are imported. The others are listed with the reason why
          not.
        </p>
        <FileInput
          label="Definition"
          description="JSON, as the API gives an eval, or the list of its graders"
          placeholder="Choose a file"
          accept=".json"
          data-autofocus
          value={file}
          onChange={setFile}
        />
        <TextInput
          label="Column of the message"
          description="The name that the graders use"
          value={message}
          onChange={({ currentTarget }) => setMessage(currentTarget.value)}
        />
        <TextInput
          label="Column of the expected answer"
          value={expected}
          onChange={({ currentTarget }) => setExpected(currentTarget.value)}
        />
        <Select
          label="Judge"
          description="Replaces the models that the graders name"
          placeholder="None: model graders are not imported"
          clearable
          searchable
          data={optionsOf(models.data ?? [])}
          value={judge}
          onChange={setJudge}
        />
        {problem !== "" && <p role="alert">{problem}</p>}
        {take.isError && <p role="alert">{describeError(take.error)}</p>}
        <Button
          type="submit"
          disabled={file === null}
          loading={take.isPending}
          style={{ alignSelf: "flex-end" }}
        >
          Import graders
        </Button>
      </Stack>
    </form>
  );
}

async function readDefinition(file: File): Promise<Record<string, unknown> | null> {
  try {
    const parsed = v.safeParse(definitionOf, JSON.parse(await file.text()));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

function Mapped({ mapped, onDone }: { mapped: MappedDefinition; onDone: () => void }) {
  return (
    <Stack gap={12}>
      <ul className="ts-stack" aria-label="Graders">
        {mapped.graders.map(({ name, words, problem }, at) => (
          <li key={at}>
            <strong>{visibleText(name)}</strong>:{" "}
            {problem === "" ? visibleText(words) : `not imported, ${visibleText(problem)}`}
          </li>
        ))}
      </ul>
      <Button onClick={onDone} style={{ alignSelf: "flex-end" }}>
        Close
      </Button>
    </Stack>
  );
}
