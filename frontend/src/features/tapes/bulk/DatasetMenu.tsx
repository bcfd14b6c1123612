/** Adds the selected tapes to a dataset, or removes them from one that the query names. */
import { Button } from "@mantine/core";
import { IconDatabase } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";

import { describeError } from "@/api/client";
import { datasetNamesQuery, useChangeDatasets } from "@/api/datasets";
import { AddToWords } from "@/features/tapes/bulk/AddToWords";
import type { Chosen } from "@/features/tapes/bulk/chosen";
import { datasetAddress, datasetsIn } from "@/lib/tapeQuery";
import { visibleText } from "@/lib/visibleText";
import { ChooseOrCreate } from "@/ui/ChooseOrCreate";

interface DatasetMenuProps {
  chosen: Chosen;
  /** The query of the list. */
  query: string;
  /** Called after a removal, because the tapes may have left the list. */
  onRemoved: () => void;
}

export function DatasetMenu({ chosen, query, onRemoved }: DatasetMenuProps) {
  const [isOpened, setOpened] = useState(false);
  const navigate = useNavigate();
  const datasets = useQuery({ ...datasetNamesQuery(), enabled: isOpened });
  const change = useChangeDatasets((name) => void navigate(datasetAddress(name)));
  const selection = chosen.conditions;
  const named = new Set(datasetsIn(query));
  const shown = datasets.data?.filter(({ id, name }) => named.has(id) || named.has(name)) ?? [];
  return (
    <ChooseOrCreate
      opener={(props) => (
        <Button
          variant="default"
          leftSection={<IconDatabase size={14} />}
          aria-label="Add to dataset"
          {...props}
        >
          <AddToWords noun="dataset" />
        </Button>
      )}
      noun="dataset"
      choices={datasets.data?.map(({ id, name }) => ({ id, name }))}
      problem={datasets.isError ? describeError(datasets.error) : null}
      isBusy={change.isPending}
      onOpen={() => setOpened(true)}
      onChoose={(dataset) => change.mutate({ do: "add", dataset, selection })}
      onMake={(name) => change.mutate({ do: "make", name, selection })}
      more={shown.map((dataset) => ({
        id: `remove ${dataset.id}`,
        words: `Remove from “${visibleText(dataset.name)}”`,
        run: () => change.mutate({ do: "remove", dataset, selection }, { onSuccess: onRemoved }),
      }))}
    />
  );
}
