/** One dataset: its tasks, its versions, the changes between two of them, and its scorers. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconSnowflake } from "@tabler/icons-react";
import { Link, useParams } from "react-router";

import { describeError, wayBack } from "@/api/client";
import { datasetQuery, tasksUrl } from "@/api/datasets";
import { useFreeze } from "@/api/datasetVersions";
import { useCanWrite } from "@/api/session";
import type { Dataset } from "@/api/types";
import { Scorers } from "@/features/datasets/Scorers";
import { Tasks } from "@/features/datasets/Tasks";
import { Versions } from "@/features/datasets/Versions";
import { countOf } from "@/lib/format";
import { datasetAddress } from "@/lib/tapeQuery";
import { visibleText } from "@/lib/visibleText";
import { PageHeader } from "@/ui/PageHeader";
import { ErrorState, RowsSkeleton } from "@/ui/States";

export function DatasetPage() {
  const { datasetId = "" } = useParams();
  const dataset = useQuery(datasetQuery(datasetId));
  if (dataset.data === undefined) {
    return (
      <>
        <PageHeader title="Dataset" />
        {dataset.isPending ? (
          <RowsSkeleton label="Loading the dataset" rows={6} />
        ) : (
          <ErrorState
            title="The dataset could not be loaded"
            message={describeError(dataset.error)}
            back={wayBack(dataset.error, "/datasets", "datasets")}
            onRetry={() => void dataset.refetch()}
          />
        )}
      </>
    );
  }
  return <Loaded dataset={dataset.data} />;
}

function Loaded({ dataset }: { dataset: Dataset }) {
  const canWrite = useCanWrite();
  const freeze = useFreeze(dataset.id);
  return (
    <>
      <PageHeader
        title={visibleText(dataset.name)}
        note={countOf(dataset.tape_count, "tape")}
        guide="datasets"
      >
        {freeze.isError && <span role="alert">{describeError(freeze.error)}</span>}
        <Button component={Link} variant="default" to={datasetAddress(dataset.name)}>
          Its tapes
        </Button>
        <Button
          component="a"
          variant="default"
          href={tasksUrl(dataset.id)}
          title="JSON Lines with message, expected answer, checkpoints and environment state, which “Examples from a file” reads"
          download
        >
          Export tasks
        </Button>
        {canWrite && (
          <Button
            leftSection={<IconSnowflake size={14} />}
            title="Create a version of its current content; starting a sweep or making a training set does so too"
            loading={freeze.isPending}
            onClick={() => freeze.mutate(undefined)}
          >
            Freeze
          </Button>
        )}
      </PageHeader>
      <div className="ts-page">
        <Tasks dataset={dataset} />
        <Versions dataset={dataset} />
        <Scorers dataset={dataset} />
      </div>
    </>
  );
}
