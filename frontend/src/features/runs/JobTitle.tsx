import { Link } from "react-router";

import type { Job } from "@/api/types";
import classes from "@/features/runs/Runs.module.css";
import { visibleText } from "@/lib/visibleText";

/** The title of a job, linked to its tape, its result or the batch that it fills. */
export function JobTitle({ job }: { job: Job }) {
  const kind = job.group === null ? job.kind.replaceAll("_", " ") : "Run N";
  const named = titleOf(job);
  const title = named === "" ? `Untitled ${kind}` : named;
  const target = targetOf(job);
  return (
    <div className={`ts-row ${classes.title}`}>
      <span className={`ts-caption ${classes.kind}`}>{kind}</span>
      {target === null ? (
        <span className={`ts-truncate ${classes.link}`} title={title}>
          {title}
        </span>
      ) : (
        <Link className={`ts-truncate ${classes.link}`} to={target} title={title}>
          {title}
        </Link>
      )}
    </div>
  );
}

/** Of a Run N, its own name if it has one. */
export function titleOf({ group, title }: Job): string {
  return visibleText(group === null || group.name === "" ? title : group.name);
}

/** Kinds of jobs that are started in a dialog and have a page for later. */
const WITH_PAGE: ReadonlySet<string> = new Set(["export", "rerun", "transform"]);

function targetOf(job: Job): string | null {
  if (job.group !== null) return `/t/${job.group.tape_id}?n=${job.group.experiment_id}`;
  if (job.tape_id !== null) return `/t/${job.tape_id}`;
  if (job.kind === "finetune") return `/training/${job.id}`;
  if (job.kind === "distillation") return `/training/distillations/${job.id}`;
  if (job.kind === "study") return `/training/studies/${job.id}`;
  if (job.kind === "sweep") return `/evaluation/${job.id}`;
  if (job.kind === "environment_check") return "/environments";
  if (job.kind === "import") return `/upload?job=${job.id}`;
  if (WITH_PAGE.has(job.kind)) return `/runs/${job.id}`;
  if (job.batch_id !== null) return `/tapes?batch=${job.batch_id}`;
  return null;
}
