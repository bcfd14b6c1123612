import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconBox } from "@tabler/icons-react";
import { useMemo } from "react";

import { describeError } from "@/api/client";
import { activeJobsQuery } from "@/api/jobs";
import { baseModelsQuery, useMakeTinyBase } from "@/api/training";
import type { BaseModel } from "@/api/types";
import { JobProgress } from "@/features/training/JobProgress";
import { Listing } from "@/features/training/Listing";
import { ServeButton } from "@/features/training/ServeButton";
import classes from "@/features/training/training.module.css";
import { formatBytes } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { Count } from "@/ui/Quantities";
import { EmptyState } from "@/ui/States";
import type { Column } from "@/ui/tableColumns";

const TINY = "tiny-base";
const rowId = ({ name }: BaseModel) => name;

export function BaseModelList({ canWrite }: { canWrite: boolean }) {
  const bases = useQuery(baseModelsQuery());
  const jobs = useQuery(activeJobsQuery());
  const make = useMakeTinyBase();
  const columns = useMemo(() => [...COLUMNS, serveColumn(canWrite)], [canWrite]);
  const going = jobs.data?.find(({ kind }) => kind === "base_model");
  const jobId = going?.id ?? make.data?.id;
  const hasTiny = bases.data?.some(({ name }) => name === TINY) === true;
  const button = canWrite && going === undefined && !hasTiny && (
    <Button loading={make.isPending} onClick={() => make.mutate(undefined)}>
      Make the tiny base model
    </Button>
  );
  const isEmpty = bases.data?.length === 0;
  return (
    <>
      {make.isError && (
        <p role="alert" className={classes.making}>
          {describeError(make.error)}
        </p>
      )}
      {jobId !== undefined && (
        <div className={classes.making}>
          <JobProgress
            jobId={jobId}
            what="base model"
            result={({ message }) => <p>{visibleText(message)}</p>}
          />
        </div>
      )}
      {!isEmpty && button !== false && bases.data !== undefined && (
        <div className={`ts-row ${classes.making}`}>
          {button}
          <span className="ts-hint">In some minutes on two cores, without a network.</span>
        </div>
      )}
      <Listing
        label="Base models"
        query={bases}
        rows={bases.data}
        columns={columns}
        rowId={rowId}
        empty={
          <EmptyState
            title="No base models yet"
            icon={<IconBox size={24} stroke={1.5} />}
            action={button}
          >
            A finetune begins with a base model. The tiny one is made here in some minutes on two
            cores; folders in Hugging Face form under models in the data folder are listed too.
          </EmptyState>
        }
      />
    </>
  );
}

const serveColumn = (canWrite: boolean): Column<BaseModel> => ({
  id: "serve",
  header: <span className="ts-visually-hidden">Serve</span>,
  width: "104px",
  align: "end",
  cell: ({ name }) => <ServeButton what={{ base: name }} name={name} canWrite={canWrite} />,
});

const COLUMNS: Column<BaseModel>[] = [
  {
    id: "name",
    header: "Base model",
    cell: ({ name }) => <span className="ts-truncate">{visibleText(name)}</span>,
  },
  { id: "family", header: "Family", width: "120px", cell: ({ family }) => visibleText(family) },
  {
    id: "width",
    header: "Width",
    width: "80px",
    align: "end",
    cell: (row) => <Count value={row.width} />,
  },
  {
    id: "layers",
    header: "Layers",
    width: "80px",
    align: "end",
    cell: (row) => <Count value={row.layers} />,
  },
  {
    id: "size",
    header: "Size",
    width: "96px",
    align: "end",
    cell: (row) => <span className="ts-number">{formatBytes(row.size_bytes)}</span>,
  },
];
