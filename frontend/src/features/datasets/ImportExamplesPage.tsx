/** Makes examples from the rows of a file: choose it, map its columns, preview, import. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconFileUpload } from "@tabler/icons-react";
import { useRef } from "react";

import { describeError } from "@/api/client";
import { exampleFileQuery, useSendFile } from "@/api/exampleFiles";
import classes from "@/features/datasets/datasets.module.css";
import { ExamplesJob } from "@/features/datasets/ExamplesJob";
import { MappingForm } from "@/features/datasets/MappingForm";
import { useAddress } from "@/lib/useAddress";
import { PageHeader } from "@/ui/PageHeader";
import { ErrorState, RowsSkeleton } from "@/ui/States";

/** The file and the import are in the address, so reloading returns to them. */
export function ImportExamplesPage() {
  const [address, change] = useAddress();
  const fileId = address.get("file");
  const jobId = address.get("job");
  return (
    <>
      <PageHeader title="Examples from a file" guide="datasets" />
      <div className="ts-page">
        {jobId !== null ? (
          <ExamplesJob jobId={jobId} onAgain={() => change({ job: null, file: null })} />
        ) : fileId !== null ? (
          <KeptFile
            fileId={fileId}
            onStarted={(id) => change({ job: id })}
            onAgain={() => change({ file: null })}
          />
        ) : (
          <ChooseFile onSent={(id) => change({ file: id })} />
        )}
      </div>
    </>
  );
}

function ChooseFile({ onSent }: { onSent: (fileId: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const send = useSendFile();
  const take = (file: File | undefined) => {
    if (file !== undefined) send.mutate(file, { onSuccess: ({ id }) => onSent(id) });
  };
  return (
    <section
      className={`ts-column ${classes.drop}`}
      aria-label="File of examples"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        take(event.dataTransfer.files[0]);
      }}
    >
      <h2>Drop a file of examples here</h2>
      <p className="ts-dimmed">
        JSON Lines, CSV or Parquet, plain or gzipped, with a row for each example; data exported
        from OpenAI Evals. You see a preview before anything is written.
      </p>
      <Button
        variant="default"
        leftSection={<IconFileUpload size={14} />}
        loading={send.isPending}
        onClick={() => input.current?.click()}
      >
        Choose a file
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File"
        accept=".jsonl,.ndjson,.json,.csv,.tsv,.parquet,.gz"
        onChange={({ currentTarget }) => {
          take(currentTarget.files?.[0]);
          currentTarget.value = "";
        }}
      />
      {send.isError && <p role="alert">{describeError(send.error)}</p>}
    </section>
  );
}

interface KeptFileProps {
  fileId: string;
  onStarted: (jobId: string) => void;
  onAgain: () => void;
}

function KeptFile({ fileId, onStarted, onAgain }: KeptFileProps) {
  const file = useQuery(exampleFileQuery(fileId));
  if (file.isPending) return <RowsSkeleton label="Loading the file" rows={6} />;
  if (file.isError) {
    return (
      <ErrorState
        title="The file could not be loaded"
        message={describeError(file.error)}
        onRetry={() => void file.refetch()}
      />
    );
  }
  return <MappingForm file={file.data} onStarted={onStarted} onAgain={onAgain} />;
}
