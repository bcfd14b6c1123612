import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconBox } from "@tabler/icons-react";
import { useMemo } from "react";

import { describeError } from "@/api/client";
import { activeJobsQuery } from "@/api/jobs";
import { baseModelsQuery, baseTemplatesQuery, useMakeTinyBase } from "@/api/training";
import type { BaseModel, BaseTemplate } from "@/api/types";
import { useFollowedJob } from "@/api/useFollowedJob";
import { templateWords } from "@/features/training/examples/tokenNotes";
import { Listing } from "@/features/training/Listing";
import { ServeButton } from "@/features/training/ServeButton";
import classes from "@/features/training/training.module.css";
import { formatBytes } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { FollowedJob } from "@/ui/FollowedJob";
import { Count } from "@/ui/Quantities";
import { EmptyState } from "@/ui/States";
import type { Column } from "@/ui/tableColumns";

const TINY = "tiny-base";
const rowId = ({ name }: BaseModel) => name;

export function BaseModelList({ canWrite }: { canWrite: boolean }) {
  const bases = useQuery(baseModelsQuery());
  const jobs = useQuery(activeJobsQuery());
  const make = useMakeTinyBase();
  const going = jobs.data?.find(({ kind }) => kind === "base_model");
  const jobId = going?.id ?? make.data?.id;
  const hasTiny = bases.data?.some(({ name }) => name === TINY) === true;
  const button = canWrite && going === undefined && !hasTiny && (
    <Button loading={make.isPending} onClick={() => make.mutate(undefined)}>
      Make the tiny base model
    </Button>
  );
  const names = bases.data?.map(({ name }) => name) ?? [];
  const templates = useQuery({ ...baseTemplatesQuery(names), enabled: names.length > 0 });
  const columns = useMemo(
    () => [...baseColumns(templates.data), serveColumn(canWrite)],
    [templates.data, canWrite],
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
          <BaseJob jobId={jobId} />
        </div>
      )}
      {!isEmpty && button !== false && bases.data !== undefined && (
        <div className={`ts-row ${classes.making} ${classes.offer}`}>
          {button}
          <span className="ts-hint">Takes a few minutes on two cores, without a network.</span>
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
            A finetune begins with a base model. The tiny one is made here in a few minutes on two
            cores; Hugging Face folders under models in the data folder are listed too.
          </EmptyState>
        }
      />
    </>
  );
}

function BaseJob({ jobId }: { jobId: string }) {
  return (
    <FollowedJob
      followed={useFollowedJob(jobId)}
      what="base model"
      note="You can leave this page; it keeps running."
      cancelled="Building the base model was cancelled."
      result={({ state, message }) =>
        state === "succeeded" ? <p>{visibleText(message)}</p> : null
      }
    />
  );
}

function baseColumns(templates: readonly BaseTemplate[] | undefined): Column<BaseModel>[] {
  return [
    {
      id: "name",
      header: "Base model",
      cell: ({ name }) => <span className="ts-truncate">{visibleText(name)}</span>,
    },
    {
      id: "family",
      header: "Family",
      width: "120px",
      hideLevel: 3,
      cell: ({ family }) => visibleText(family),
    },
    {
      id: "width",
      header: "Width",
      width: "80px",
      hideLevel: 3,
      align: "end",
      cell: (row) => <Count value={row.width} />,
    },
    {
      id: "layers",
      header: "Layers",
      width: "80px",
      hideLevel: 3,
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
    {
      id: "template",
      header: "Chat template",
      width: "26%",
      hideLevel: 1,
      cell: ({ name }) => <Template of={templates?.find(({ base }) => base === name)} />,
    },
  ];
}

/** The two properties of the chat template, with what they mean for training on hover. */
function Template({ of: found }: { of: BaseTemplate | undefined }) {
  if (found === undefined) return <span className="ts-dimmed">Checking…</span>;
  if (found.template === null) {
    const problem = visibleText(found.problem);
    return (
      <span className="ts-truncate ts-warn" title={problem}>
        {problem}
      </span>
    );
  }
  const words = templateWords(found.template);
  return (
    <span
      className="ts-truncate"
      title={words.map(({ title, meaning }) => `${title}: ${meaning}`).join("\n")}
    >
      {words.map(({ title }, at) => (at === 0 ? title : title.toLowerCase())).join(", ")}
    </span>
  );
}
const serveColumn = (canWrite: boolean): Column<BaseModel> => ({
  id: "serve",
  header: <span className="ts-visually-hidden">Serve</span>,
  width: "104px",
  align: "end",
  cell: ({ name }) => <ServeButton what={{ base: name }} name={name} canWrite={canWrite} />,
});
