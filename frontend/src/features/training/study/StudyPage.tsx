/** One study: how far it is, what it has made, its examination, and its trees. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useParams } from "react-router";

import { isFinished } from "@/api/jobs";
import { useCanWrite } from "@/api/session";
import { studyQuery, useResumeStudy } from "@/api/studies";
import type { StudyDetails } from "@/api/types";
import { CancelOrResume } from "@/features/training/CancelOrResume";
import { LoadedFrame } from "@/features/training/LoadedFrame";
import { ArmTables } from "@/features/training/study/ArmTables";
import { StudyTrees } from "@/features/training/study/StudyTrees";
import classes from "@/features/training/training.module.css";
import { batchAddress } from "@/lib/tapeQuery";
import { visibleText } from "@/lib/visibleText";
import { JobStateBadge } from "@/ui/JobStateBadge";
import { PageHeader } from "@/ui/PageHeader";
import { PlainTable } from "@/ui/PlainTable";

export function StudyPage() {
  const { jobId = "" } = useParams();
  return (
    <LoadedFrame
      list={{ to: "/training?tab=studies", what: "studies" }}
      what="Study"
      query={useQuery(studyQuery(jobId))}
      header={({ study }) => (
        <PageHeader
          title={visibleText(study.name)}
          note={<JobStateBadge state={study.state} />}
          guide="form-filler"
        >
          <Actions study={study} />
        </PageHeader>
      )}
    >
      {(details) => (
        <div className="ts-page">
          <Summary study={details.study} />
          <ArmTables arms={details.arms} isOver={isFinished(details.study.state)} />
          <Pieces details={details} />
          <StudyTrees details={details} />
        </div>
      )}
    </LoadedFrame>
  );
}

function Actions({ study: { job_id: id, state } }: { study: StudyDetails["study"] }) {
  const canWrite = useCanWrite();
  const resume = useResumeStudy(id);
  if (!canWrite) return null;
  return <CancelOrResume jobId={id} state={state} resume={resume} words="Resume" />;
}

function Summary({ study: { settings, state, message } }: { study: StudyDetails["study"] }) {
  const companies =
    settings.asked === "test"
      ? "the three test companies, in phrases of no lesson"
      : "three made-up companies, to choose settings by";
  return (
    <section className="ts-stack ts-section" aria-label="Summary">
      <p>
        {visibleText(settings.student || "A tiny base")} learns to fill in forms from{" "}
        {settings.teacher === "" ? "the scripted teacher" : visibleText(settings.teacher)}, and is
        examined on {companies}. Seed {settings.seed}.
      </p>
      <p className="ts-number" aria-live="polite">
        <span className={state === "failed" ? "ts-bad" : undefined}>{visibleText(message)}</span>
      </p>
    </section>
  );
}

const TITLES: Readonly<Record<string, string>> = {
  "train trees": "Trees to learn from",
  "openings trees": "Openings to learn from",
  "test trees": "Trees to ask about",
  lessons: "Lessons",
  base: "Base model",
  set: "Training set",
  student: "Student",
  examination: "Examination",
};

function Pieces({ details }: { details: StudyDetails }) {
  return (
    <section className="ts-section" aria-labelledby="pieces">
      <h2 id="pieces">Pieces</h2>
      <p className="ts-hint">Each is made once; a study that was stopped goes on after the last.</p>
      <PlainTable aria-labelledby="pieces">
        <tbody>
          {details.pieces.map((piece) => (
            <tr key={piece.name}>
              <th scope="row" className={classes.longName}>
                {TITLES[piece.name] ?? piece.name}
              </th>
              <td className="ts-number">
                {piece.is_done ? (
                  <LinkTo to={addressOf(details, piece)}>{visibleText(piece.words)}</LinkTo>
                ) : (
                  <span className="ts-dimmed">{visibleText(piece.words || "Not yet")}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </section>
  );
}

function LinkTo({ to, children }: { to: string | null; children: ReactNode }) {
  return to === null ? children : <Link to={to}>{children}</Link>;
}

type Piece = StudyDetails["pieces"][number];

function addressOf(details: StudyDetails, { name, job_id: job }: Piece): string | null {
  if (name === "lessons") return batchAddress(details.lessons);
  if (name === "set" && details.training_set_id !== null) {
    return `/training/sets/${details.training_set_id}`;
  }
  return name === "student" && job !== null ? `/training/${job}` : null;
}
