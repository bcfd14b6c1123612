import { Alert, Button, Progress, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { describeError } from "@/api/client";
import { uploadFiles } from "@/api/uploads";
import { ChosenFiles } from "@/features/uploads/ChosenFiles";
import { DropZone } from "@/features/uploads/DropZone";
import classes from "@/features/uploads/Uploads.module.css";
import { folderOf, isHidden } from "@/lib/droppedFiles";
import { countOf, formatBytes } from "@/lib/format";

export function UploadForm({ onStarted }: { onStarted: (jobId: string) => void }) {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [leftOut, setLeftOut] = useState(0);
  const [batch, setBatch] = useState("");
  const [share, setShare] = useState(0);
  const upload = useMutation({
    mutationFn: () => uploadFiles({ files, batch: batch.trim(), onProgress: setShare }),
    onSuccess: onStarted,
  });
  const add = (more: readonly File[]) => {
    const wanted = more.filter((file) => !isHidden(file));
    setFiles([...files, ...wanted]);
    setLeftOut(leftOut + more.length - wanted.length);
    if (batch === "") setBatch(folderOf(wanted));
  };
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  return (
    <form
      style={{ display: "contents" }}
      onSubmit={(event) => {
        event.preventDefault();
        upload.mutate();
      }}
    >
      <DropZone onFiles={add} />
      {leftOut > 0 && <p className="ts-dimmed">{countOf(leftOut, "hidden file")} left out.</p>}
      {files.length > 0 && (
        <>
          <ChosenFiles
            files={files}
            onRemove={(file) => setFiles(files.filter((one) => one !== file))}
          />
          <div className={classes.foot}>
            <TextInput
              label="Batch"
              description="A name for these tapes; leave empty for a dated name."
              w={320}
              maxLength={300}
              value={batch}
              onChange={(event) => setBatch(event.currentTarget.value)}
            />
            <Button type="submit" loading={upload.isPending}>
              Import {countOf(files.length, "file")} ({formatBytes(bytes)})
            </Button>
          </div>
        </>
      )}
      {upload.isPending && (
        <div role="status">
          <Progress size={4} value={share * 100} aria-label="Sending" />
          <p className="ts-dimmed">
            Uploading, {Math.round(share * 100)} %. Stay on this page until it is done.
          </p>
        </div>
      )}
      {upload.isError && (
        <Alert color="red" title="The files were not imported" role="alert">
          {describeError(upload.error)}
        </Alert>
      )}
    </form>
  );
}
