/** The projects that the person is in. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";

const key = ["projects"];

export function projectsQuery() {
  return queryOptions({
    queryKey: key,
    queryFn: async ({ signal }) => (await unwrap(client.GET("/api/v1/projects", { signal }))).items,
  });
}

function useChange<Asked, Made>(change: (asked: Asked) => Promise<Made>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: key }),
        queries.invalidateQueries({ queryKey: ["session"] }),
      ]),
  });
}

export function useMakeProject() {
  return useChange((name: string) => unwrap(client.POST("/api/v1/projects", { body: { name } })));
}

interface ProjectChange {
  id: string;
  name?: string;
  is_archived?: boolean;
}

export function useChangeProject() {
  return useChange(({ id, ...body }: ProjectChange) =>
    unwrap(
      client.PATCH("/api/v1/projects/{project_id}", {
        params: { path: { project_id: id } },
        body,
      }),
    ),
  );
}
