import { Button } from "@mantine/core";
import { IconFiles, IconFolder, IconUpload } from "@tabler/icons-react";
import { useRef, useState, type DragEvent } from "react";

import classes from "@/features/uploads/Uploads.module.css";
import { readDroppedFiles } from "@/lib/droppedFiles";

/** Accepts dropped files, and files chosen with two buttons: dropping is never the only way. */
export function DropZone({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const [isOver, setOver] = useState(false);
  const fileInput = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void readDroppedFiles(event.dataTransfer).then(onFiles);
  };
  return (
    <section
      className={`ts-column ${classes.drop}`}
      data-over={isOver || undefined}
      aria-label="Files to import"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconUpload size={24} stroke={1.5} color="var(--mantine-color-dimmed)" aria-hidden="true" />
      <h2 className={classes.dropTitle}>Drop tapes or a whole folder here</h2>
      <p className="ts-dimmed">
        TapeAgents JSON and YAML, <code>tapedata.sqlite</code> with the model calls, and OpenAI chat
        JSONL or message lists, plain or gzipped, and <code>.eval</code> logs of Inspect. Nothing is
        imported twice.
      </p>
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={<IconFiles size={14} />}
          onClick={() => fileInput.current?.click()}
        >
          Choose files
        </Button>
        <Button
          variant="default"
          leftSection={<IconFolder size={14} />}
          onClick={() => folderInput.current?.click()}
        >
          Choose a folder
        </Button>
      </div>
      <input
        ref={fileInput}
        type="file"
        multiple
        hidden
        aria-label="Files"
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
      <input
        ref={folderInput}
        type="file"
        multiple
        hidden
        aria-label="Folder"
        {...{ webkitdirectory: "" }}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
    </section>
  );
}
