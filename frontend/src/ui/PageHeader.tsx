import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";

import classes from "@/ui/PageHeader.module.css";

interface PageHeaderProps {
  title: string;
  /** Beside the title: a count, a state, an id. */
  note?: ReactNode;
  /** Buttons at the right end. */
  children?: ReactNode;
}

export function PageHeader({ title, note, children }: PageHeaderProps) {
  useDocumentTitle(`${title} · Tape Studio`);
  return (
    <header className={`ts-row ${classes.header}`}>
      <h1 className={`ts-truncate ${classes.title}`}>{title}</h1>
      {note !== undefined && <div className={classes.note}>{note}</div>}
      <div className={`ts-row ${classes.actions}`}>{children}</div>
    </header>
  );
}
