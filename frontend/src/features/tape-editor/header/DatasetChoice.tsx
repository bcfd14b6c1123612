/** Says in which datasets the open tape is, and puts it in and out: a list below the menu's button. */
import { useQuery } from "@tanstack/react-query";
import { useState, type Ref } from "react";
import { useNavigate } from "react-router";

import { describeError } from "@/api/client";
import { datasetNamesQuery, useChangeDatasets } from "@/api/datasets";
import { useTapeModel } from "@/features/tape-editor/editor";
import classes from "@/features/tape-editor/header/header.module.css";
import { datasetAddress } from "@/lib/tapeQuery";
import { ChooseOrMake } from "@/ui/ChooseOrMake";

interface DatasetChoiceProps {
  /** A click on it opens the list: the line of the menu is gone by then. */
  opener: Ref<HTMLButtonElement>;
}

export function DatasetChoice({ opener }: DatasetChoiceProps) {
  const { tape } = useTapeModel();
  const [isOpened, setOpened] = useState(false);
  const navigate = useNavigate();
  const datasets = useQuery({ ...datasetNamesQuery(tape.id), enabled: isOpened });
  const change = useChangeDatasets((name) => void navigate(datasetAddress(name)));
  const selection = { tape_ids: [tape.id] };
  return (
    <ChooseOrMake
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
