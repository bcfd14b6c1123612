/** One project on a line, with the actions of its owners. */
import { Button } from "@mantine/core";
import { useState } from "react";

import type { Project } from "@/api/types";
import { NameProject } from "@/features/projects/NameProject";
import classes from "@/features/projects/projects.module.css";
import { openProject } from "@/lib/project";
import { visibleText } from "@/lib/visibleText";
import { ConfirmButton } from "@/ui/ConfirmButton";
import { RelativeTime } from "@/ui/Quantities";

interface ProjectLineProps {
  project: Project;
  isHere: boolean;
  onArchive: (isArchived: boolean) => void;
}

const ROLES: Record<Project["role"], string> = {
  owner: "Owner",
  member: "Member",
  viewer: "Viewer",
};

export function ProjectLine({ project, isHere, onArchive }: ProjectLineProps) {
  const name = visibleText(project.name);
  return (
    <tr>
      <th scope="row">
        {name}
        {isHere && <span className="ts-dimmed"> (this one)</span>}
      </th>
      <td>{ROLES[project.role]}</td>
      <td data-align="end" data-hide>
        <RelativeTime value={project.created_at} />
      </td>
      <td data-align="end">
        <div className={`ts-row ${classes.actions}`}>
          {!isHere && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Open ${name}`}
              onClick={() => openProject(project.id)}
            >
              Open
            </Button>
          )}
          {project.role === "owner" && <OwnersButtons project={project} onArchive={onArchive} />}
        </div>
      </td>
    </tr>
  );
}

type OwnersButtonsProps = Omit<ProjectLineProps, "isHere">;

function OwnersButtons({ project, onArchive }: OwnersButtonsProps) {
  const [isRenaming, setIsRenaming] = useState(false);
  const name = visibleText(project.name);
  if (project.archived_at !== null) {
    return (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Restore ${name}`}
        onClick={() => onArchive(false)}
      >
        Restore
      </Button>
    );
  }
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Rename ${name}`}
        onClick={() => setIsRenaming(true)}
      >
        Rename
      </Button>
      <ConfirmButton
        size="compact-xs"
        question={`Archive ${name}? It leaves the menu and can only be read, until an owner restores it.`}
        confirm="Archive"
        onConfirm={() => onArchive(true)}
        aria-label={`Archive ${name}`}
      >
        Archive
      </ConfirmButton>
      {isRenaming && <NameProject project={project} onClose={() => setIsRenaming(false)} />}
    </>
  );
}
