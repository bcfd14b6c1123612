/** The images attached to a message, and the button that adds one. */
import { ActionIcon, FileButton } from "@mantine/core";
import { IconPhotoPlus, IconX } from "@tabler/icons-react";

import classes from "@/ui/attachments/attachments.module.css";
import { type Attachments, IMAGE_TYPES } from "@/ui/attachments/useAttachments";
import { cutText, visibleText } from "@/lib/visibleText";

const LONGEST_NAME = 60;

export function AttachmentBar({ items, problem, add, remove }: Attachments) {
  return (
    <div className={`ts-row ${classes.bar}`}>
      {items.map(({ name, source }, at) => {
        const shown = visibleText(cutText(name, LONGEST_NAME));
        return (
          <figure key={`${at} ${name}`} className={`ts-panel ${classes.item}`}>
            <img src={source} alt={shown} title={shown} />
            <ActionIcon
              size={18}
              className={classes.remove ?? ""}
              aria-label={`Remove ${shown}`}
              onClick={() => remove(at)}
            >
              <IconX size={12} />
            </ActionIcon>
          </figure>
        );
      })}
      <FileButton accept={IMAGE_TYPES} multiple onChange={(files) => void add(files)}>
        {(props) => (
          <ActionIcon
            {...props}
            size={24}
            aria-label="Attach images"
            title="Attach images; you can also paste or drop them"
          >
            <IconPhotoPlus size={15} stroke={1.75} />
          </ActionIcon>
        )}
      </FileButton>
      {problem !== "" && (
        <span className="ts-bad" role="alert">
          {visibleText(problem)}
        </span>
      )}
    </div>
  );
}
