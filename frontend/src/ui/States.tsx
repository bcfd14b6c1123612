/** What a list or a pane shows when it has no data: loading, empty, failed, out of date. */
import { Button, Skeleton } from "@mantine/core";
import { IconAlertTriangle, IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "react-router";

import classes from "@/ui/States.module.css";

interface EmptyStateProps {
  title: string;
  /** What to do next, as a sentence. */
  children?: ReactNode;
  icon?: ReactNode;
  /** A button or a link that does it. */
  action?: ReactNode;
}

export function EmptyState({ title, children, icon, action }: EmptyStateProps) {
  return (
    <div className={`ts-column ${classes.state}`}>
      {icon !== undefined && <div className={classes.icon}>{icon}</div>}
      <h2 className={classes.title}>{title}</h2>
      {children !== undefined && <div className={classes.text}>{children}</div>}
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  );
}

interface ErrorStateProps {
  /** What failed: "The tapes could not be loaded." */
  title: string;
  /** The server's message. */
  message: string;
  onRetry?: () => void;
  /** Where to go if trying again cannot help: instead of that button. */
  back?: { to: string; what: string } | undefined;
}

export function ErrorState({ title, message, onRetry, back }: ErrorStateProps) {
  return (
    <div className={`ts-column ${classes.state}`} role="alert">
      <div className={classes.badIcon}>
        <IconAlertTriangle size={20} stroke={1.5} />
      </div>
      <h2 className={classes.title}>{title}</h2>
      <p className={classes.text}>{message}</p>
      {back !== undefined && (
        <div className={classes.action}>
          <Button component={Link} to={back.to} variant="default">
            Go to {back.what}
          </Button>
        </div>
      )}
      {onRetry !== undefined && back === undefined && (
        <div className={classes.action}>
          <Button variant="default" leftSection={<IconRefresh size={14} />} onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}

/** A line above data that is out of date because the last refresh failed. */
export function StaleNotice({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div className={`ts-row ${classes.stale}`} role="status">
      <IconAlertTriangle size={14} stroke={1.75} />
      <span>This may be out of date. {message}</span>
      <button type="button" className={classes.linkButton} onClick={onRetry}>
        Refresh
      </button>
    </div>
  );
}

interface RowsSkeletonProps {
  rows?: number;
  label: string;
}

export function RowsSkeleton({ rows = 12, label }: RowsSkeletonProps) {
  return (
    <div className={classes.skeleton} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={`ts-row ${classes.skeletonRow}`}>
          <Skeleton height={10} width={`${20 + ((row * 17) % 30)}%`} />
          <Skeleton height={10} width={80} />
          <Skeleton height={10} width={48} ml="auto" />
          <Skeleton height={10} width={64} />
        </div>
      ))}
    </div>
  );
}
