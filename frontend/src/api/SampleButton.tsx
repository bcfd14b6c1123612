/** Opens the sample project: finished work for every page, made by the studio itself. */
import { Button, type ButtonProps } from "@mantine/core";
import { IconCompass } from "@tabler/icons-react";

import { SAMPLE_PROJECT, useSample } from "@/api/projects";
import { askedProject } from "@/lib/project";

/** Nothing in the sample project itself. */
export function SampleButton(props: ButtonProps) {
  const { open, isPending } = useSample();
  if (askedProject() === SAMPLE_PROJECT) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconCompass size={14} />}
      loading={isPending}
      onClick={open}
      {...props}
    >
      Look around a sample project
    </Button>
  );
}
