/** The projects that the person is a member of. */
import { queryOptions } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import { showFailure } from "@/api/showFailure";
import { useChange } from "@/api/useChange";
import { openProject } from "@/lib/project";

const key = ["projects"];
/** The sample project, whose id is the same in every studio (`projects/services/sample.py`). */
export const SAMPLE_PROJECT = "5a3b1e00-0000-4000-8000-000000000036";

const changed = [key, ["session"]];

export function projectsQuery() {
  return queryOptions({
    queryKey: key,
    queryFn: async ({ signal }) => (await unwrap(client.GET("/api/v1/projects", { signal }))).items,
  });
}

export function useMakeProject() {
  return useChange(changed, (name: string) =>
    unwrap(client.POST("/api/v1/projects", { body: { name } })),
  );
}

/** Opens the sample project: copied the first time, and brought back if it was archived. */
export function useSample() {
  const { mutate, isPending } = useChange(changed, () =>
    unwrap(client.POST("/api/v1/projects/sample")),
  );
  const open = () => {
    mutate(undefined, {
      onSuccess: ({ id }) => openProject(id),
      onError: (error) => showFailure("The sample project was not opened", error),
    });
  };
  return { open, isPending };
}

interface ProjectChange {
  id: string;
  name?: string;
  is_archived?: boolean;
}

export function useChangeProject() {
  return useChange(changed, ({ id, ...body }: ProjectChange) =>
    unwrap(
      client.PATCH("/api/v1/projects/{project_id}", {
        params: { path: { project_id: id } },
        body,
      }),
    ),
  );
}
