/** Shows which datasets contain the open tape, and adds or removes it: a list below a menu's
 * button.
 *
 * With a step count, the beginning of the tape is added: a fork that ends with that step and is an
 * example in its own right.
 */
import { useQuery } from "@tanstack/react-query";
import { useState, type Ref } from "react";
import { useNavigate } from "react-router";

import { client, describeError, unwrap } from "@/api/client";
import { datasetNamesQuery, useChangeDatasets } from "@/api/datasets";
import { useTapeModel } from "@/features/tape-editor/editor";
import classes from "@/features/tape-editor/datasets/datasets.module.css";
import { datasetAddress } from "@/lib/tapeQuery";
import { ChooseOrCreate } from "@/ui/ChooseOrCreate";

interface DatasetChoiceProps {
  /** A click on it opens the list. */
  opener: Ref<HTMLButtonElement>;
  /** How many leading steps to add; if omitted, the tape itself. */
  stepCount?: number;
}

export function DatasetChoice({ opener, stepCount }: DatasetChoiceProps) {
  const { tape } = useTapeModel();
  const [isOpened, setOpened] = useState(false);
  const navigate = useNavigate();
  const names = datasetNamesQuery(stepCount === undefined ? tape.id : undefined);
  const datasets = useQuery({ ...names, enabled: isOpened });
  const change = useChangeDatasets((name) => void navigate(datasetAddress(name)));
  const selection = async () => ({
    tape_ids: [stepCount === undefined ? tape.id : await forkTape(tape.id, stepCount)],
  });
  return (
    <ChooseOrCreate
      opener={({ onClick }) => (
        <button
          ref={opener}
          type="button"
          className={classes.anchor}
          tabIndex={-1}
          aria-hidden="true"
          onClick={onClick}
        />
      )}
      noun="dataset"
      choices={datasets.data?.map(({ id, name, has_tape: isOn }) => ({ id, name, isOn }))}
      problem={datasets.isError ? describeError(datasets.error) : null}
      isBusy={change.isPending}
      onOpen={() => setOpened(true)}
      onChoose={({ isOn, ...dataset }) =>
        change.mutate({ do: isOn === true ? "remove" : "add", dataset, selection })
      }
      onMake={(name) => change.mutate({ do: "make", name, selection })}
    />
  );
}

async function forkTape(tapeId: string, stepCount: number): Promise<string> {
  const made = await unwrap(
    client.POST("/api/v1/tapes/{tape_id}/fork", {
      params: { path: { tape_id: tapeId } },
      body: { at: stepCount },
    }),
  );
  return made.tape_id;
}
