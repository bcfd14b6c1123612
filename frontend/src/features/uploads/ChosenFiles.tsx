import { CloseButton } from "@mantine/core";

import classes from "@/features/uploads/Uploads.module.css";
import { countOf, formatBytes } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

const SHOWN = 200;

interface ChosenFilesProps {
  files: readonly File[];
  onRemove: (file: File) => void;
}

export function ChosenFiles({ files, onRemove }: ChosenFilesProps) {
  return (
    <ul className={`ts-panel ${classes.files}`} aria-label="Chosen files">
      {files.slice(0, SHOWN).map((file, index) => (
        <li key={`${index}-${file.name}`} className={classes.file}>
          <span className={`${classes.fileName ?? ""} ts-mono`} title={pathOf(file)}>
            {pathOf(file)}
          </span>
          <span className="ts-number ts-dimmed">{formatBytes(file.size)}</span>
          <CloseButton
            size="xs"
            aria-label={`Leave out ${visibleText(file.name)}`}
            onClick={() => onRemove(file)}
          />
        </li>
      ))}
      {files.length > SHOWN && (
        <li className={`${classes.file ?? ""} ts-dimmed`}>
          and {countOf(files.length - SHOWN, "more file", "more files")}
        </li>
      )}
    </ul>
  );
}

function pathOf(file: File): string {
  return visibleText(file.webkitRelativePath || file.name);
}
