/** Asks for the name of a new project, or for a new name of an existing one. */
import { Button, Modal, Stack, TextInput } from "@mantine/core";
import { useState } from "react";

import { describeError } from "@/api/client";
import { useChangeProject, useMakeProject } from "@/api/projects";
import type { Project } from "@/api/types";

interface NameProjectProps {
  /** `null` for a new project. */
  project: Project | null;
  onClose: () => void;
}

export function NameProject({ project, onClose }: NameProjectProps) {
  const make = useMakeProject();
  const change = useChangeProject();
  const [name, setName] = useState(project?.name ?? "");
  const error = make.error ?? change.error;
  const save = () => {
    const done = { onSuccess: onClose };
    if (project === null) make.mutate(name.trim(), done);
    else change.mutate({ id: project.id, name: name.trim() }, done);
  };
  const title = project === null ? "New project" : "Rename project";
  return (
    <Modal opened onClose={onClose} title={title} size={400}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Stack gap={12}>
          <TextInput
            label="Name"
            data-autofocus
            required
            withAsterisk={false}
            maxLength={200}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          {error !== null && <p role="alert">{describeError(error)}</p>}
          <div className="ts-row">
            <Button
              type="submit"
              ml="auto"
              disabled={name.trim() === ""}
              loading={make.isPending || change.isPending}
            >
              {project === null ? "Create project" : "Rename"}
            </Button>
          </div>
        </Stack>
      </form>
    </Modal>
  );
}
