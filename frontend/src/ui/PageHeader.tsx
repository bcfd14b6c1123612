import { ActionIcon } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { IconHelp } from "@tabler/icons-react";
import type { ReactNode } from "react";

import { addressOfGuide } from "@/lib/guides";
import classes from "@/ui/PageHeader.module.css";

interface PageHeaderProps {
  title: string;
  /** Next to the title: a count, a state, an id. */
  note?: ReactNode;
  /** The name of the guide to this page, with an anchor if only a part of it applies. */
  guide?: string;
  /** Buttons at the right end. */
  children?: ReactNode;
}

export function PageHeader({ title, note, guide, children }: PageHeaderProps) {
  useDocumentTitle(`${title} · Tape Studio`);
  return (
    <header className={`ts-row ${classes.header}`}>
      <h1 className={`ts-truncate ${classes.title}`}>{title}</h1>
      {guide !== undefined && (
        <ActionIcon
          component="a"
          href={addressOfGuide(guide)}
          target="_blank"
          variant="subtle"
          color="gray"
          size="sm"
          aria-label="Guide to this page"
          title="Guide to this page"
        >
          <IconHelp size={16} stroke={1.75} />
        </ActionIcon>
      )}
      {note !== undefined && <div className={classes.note}>{note}</div>}
      <div className={`ts-row ${classes.actions}`}>{children}</div>
    </header>
  );
}
