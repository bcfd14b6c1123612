/** The project on top of the rail, and the switch to another one. */
import { Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconCompass, IconFolders, IconSelector } from "@tabler/icons-react";
import { Link } from "react-router";

import { SAMPLE_PROJECT, useSample } from "@/api/projects";
import { sessionQuery } from "@/api/session";
import classes from "@/app/Shell.module.css";
import { openProject } from "@/lib/project";
import { visibleText } from "@/lib/visibleText";

export function ProjectMenu() {
  const { data: session } = useQuery(sessionQuery());
  const sample = useSample();
  if (session === undefined) return <div className={classes.project} />;
  const name = visibleText(session.project);
  return (
    <Menu position="bottom-start" width={240} withinPortal>
      <Menu.Target>
        <button
          type="button"
          className={`ts-row ${classes.item} ${classes.project}`}
          data-tour="project"
          aria-label={`Project: ${name}`}
          title={name}
        >
          <span className={classes.letter} data-letter={Array.from(name)[0]?.toUpperCase()} />
          <span className={`${classes.word} ${classes.label}`}>{name}</span>
          <span className={`${classes.word} ${classes.hint}`}>
            <IconSelector size={14} aria-hidden="true" />
          </span>
        </button>
      </Menu.Target>
      <Menu.Dropdown className={classes.projects}>
        <Menu.RadioGroup value={session.project_id} onChange={openProject}>
          {session.projects.map(({ id, name: one, role }) => (
            <Menu.RadioItem
              key={id}
              value={id}
              rightSection={<span className="ts-dimmed">{role}</span>}
            >
              {visibleText(one)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        {session.project_id !== SAMPLE_PROJECT && (
          <Menu.Item leftSection={<IconCompass size={14} />} onClick={sample.open}>
            Look around a sample project
          </Menu.Item>
        )}
        <Menu.Item component={Link} to="/projects" leftSection={<IconFolders size={14} />}>
          All projects
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
