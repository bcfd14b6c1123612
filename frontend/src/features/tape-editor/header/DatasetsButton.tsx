/** Says in which datasets the open tape is, and puts it in and out. */
import { IconDatabase } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";

import { describeError } from "@/api/client";
import { datasetNamesQuery, useChangeDatasets } from "@/api/datasets";
import { HeaderButton } from "@/ui/HeaderButton";
import { useTapeModel } from "@/features/tape-editor/editor";
import { datasetAddress } from "@/lib/tapeQuery";
import { ChooseOrMake } from "@/ui/ChooseOrMake";

export function DatasetsButton() {
  const { tape } = useTapeModel();
  const [isOpened, setOpened] = useState(false);
  const navigate = useNavigate();
  const datasets = useQuery({ ...datasetNamesQuery(tape.id), enabled: isOpened });
  const change = useChangeDatasets((name) => void navigate(datasetAddress(name)));
  const selection = { tape_ids: [tape.id] };
  return (
    <ChooseOrMake
      opener={(props) => (
        <HeaderButton
          word="Datasets"
          icon={IconDatabase}
          title="Datasets that contain this tape"
          {...props}
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
