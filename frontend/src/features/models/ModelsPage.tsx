import { Button } from "@mantine/core";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { IconCpu, IconPlus } from "@tabler/icons-react";
import { useSearchParams } from "react-router";

import { ForWriters } from "@/api/ForWriters";
import { describeError } from "@/api/client";
import { modelsQuery } from "@/api/models";
import type { Model } from "@/api/types";
import { ModelDrawer } from "@/features/models/ModelDrawer";
import { ModelTable } from "@/features/models/ModelTable";
import { countOf } from "@/lib/format";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState, ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

export function ModelsPage() {
  const [params, setParams] = useSearchParams();
  const models = useQuery(modelsQuery());
  const editing = models.data?.find(({ id }) => id === params.get("edit"));
  const isAdding = params.get("add") === "1";
  const close = () => setParams({}, { replace: true });
  return (
    <>
      <PageHeader
        title="Models"
        guide="first-steps#add-a-model"
        note={models.data && countOf(models.data.length, "model")}
      >
        <ForWriters>
          <Button leftSection={<IconPlus size={14} />} onClick={() => setParams({ add: "1" })}>
            Add a model
          </Button>
        </ForWriters>
      </PageHeader>
      <ModelsBody
        query={models}
        onAdd={() => setParams({ add: "1" })}
        onEdit={(id) => setParams({ edit: id })}
      />
      <ForWriters>
        <ModelDrawer
          opened={isAdding || editing !== undefined}
          model={editing ?? null}
          onClose={close}
        />
      </ForWriters>
    </>
  );
}

interface ModelsBodyProps {
  query: UseQueryResult<Model[]>;
  onAdd: () => void;
  onEdit: (id: string) => void;
}

function ModelsBody({ query, onAdd, onEdit }: ModelsBodyProps) {
  if (query.isPending) return <RowsSkeleton label="Loading models" rows={4} />;
  if (query.data === undefined) {
    return (
      <ErrorState
        title="The models could not be loaded"
        message={describeError(query.error)}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (query.data.length === 0) {
    return (
      <EmptyState
        title="No models yet"
        icon={<IconCpu size={24} stroke={1.5} />}
        action={
          <ForWriters>
            <Button onClick={onAdd}>Add a model</Button>
          </ForWriters>
        }
      >
        The sample agents run without a model. Add a model from any provider, or an
        OpenAI-compatible server, and the same agents run on it.
      </EmptyState>
    );
  }
  return (
    <div style={{ overflow: "auto" }}>
      {query.isError && (
        <StaleNotice message={describeError(query.error)} onRetry={() => void query.refetch()} />
      )}
      <ModelTable models={query.data} onEdit={onEdit} />
    </div>
  );
}
