/** The projects that a person is a member of: create, rename, archive and restore. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";

import { describeError } from "@/api/client";
import { projectsQuery, useChangeProject } from "@/api/projects";
import { sessionQuery } from "@/api/session";
import type { Project } from "@/api/types";
import { NameProject } from "@/features/projects/NameProject";
import { ProjectLine } from "@/features/projects/ProjectLine";
import classes from "@/features/projects/projects.module.css";
import { countOf } from "@/lib/format";
import { PageHeader } from "@/ui/PageHeader";
import { PlainTable } from "@/ui/PlainTable";
import { ErrorState, RowsSkeleton } from "@/ui/States";

export function ProjectsPage() {
  const projects = useQuery(projectsQuery());
  const [isMaking, setIsMaking] = useState(false);
  return (
    <>
      <PageHeader
        title="Projects"
        guide="accounts#projects"
        note={projects.data && countOf(projects.data.length, "project")}
      >
        <Button leftSection={<IconPlus size={14} />} onClick={() => setIsMaking(true)}>
          New project
        </Button>
      </PageHeader>
      <div className="ts-page">
        {projects.data !== undefined ? (
          <Projects projects={projects.data} />
        ) : projects.isError ? (
          <ErrorState
            title="The projects could not be loaded"
            message={describeError(projects.error)}
            onRetry={() => void projects.refetch()}
          />
        ) : (
          <RowsSkeleton label="Loading projects" rows={3} />
        )}
      </div>
      {isMaking && <NameProject project={null} onClose={() => setIsMaking(false)} />}
    </>
  );
}

function Projects({ projects }: { projects: readonly Project[] }) {
  const { data: session } = useQuery(sessionQuery());
  const change = useChangeProject();
  const line = (project: Project) => (
    <ProjectLine
      key={project.id}
      project={project}
      isHere={project.id === session?.project_id}
      onArchive={(isArchived) => change.mutate({ id: project.id, is_archived: isArchived })}
    />
  );
  const current = projects.filter((project) => project.archived_at === null);
  const archived = projects.filter((project) => project.archived_at !== null);
  return (
    <>
      <section className="ts-section" aria-label="Your projects">
        {current.length === 0 ? (
          <p className="ts-hint">All of them are archived.</p>
        ) : (
          <Table label="Projects">{current.map(line)}</Table>
        )}
        {change.isError && (
          <p role="alert" className={`ts-bad ${classes.note}`}>
            {describeError(change.error)}
          </p>
        )}
      </section>
      {archived.length > 0 && (
        <section className="ts-section" aria-labelledby="archived">
          <h2 className={classes.heading} id="archived">
            Archived
          </h2>
          <p className="ts-hint">Read-only until an owner restores them.</p>
          <Table label="Archived projects">{archived.map(line)}</Table>
        </section>
      )}
    </>
  );
}

function Table({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <PlainTable aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Your role</th>
          <th scope="col" data-align="end" data-hide>
            Created
          </th>
          <th scope="col">
            <span className="ts-visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </PlainTable>
  );
}
