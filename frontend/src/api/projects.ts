/** The projects that the person is a member of. */
import { queryOptions } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import { useChange } from "@/api/useChange";

const key = ["projects"];
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
