/** What forms are built from: the schemas of steps, their kinds, the tools. */
import { queryOptions } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import { tapeKeys } from "@/api/tapes";

/** The schemas for the form of a recorded step. */
export function stepSchemaQuery(tapeId: string, position: number) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "schema", position],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/steps/{position}/schema", {
          params: { path: { tape_id: tapeId, position } },
          signal,
        }),
      ),
    staleTime: Infinity,
  });
}

/** The schemas for the form of a new step; kinds that occur only on this tape count too. */
export function kindSchemaQuery(tapeId: string, kind: string) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "kind-schema", kind],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/step-schemas/{kind}", {
          params: { path: { tape_id: tapeId, kind } },
          signal,
        }),
      ),
    staleTime: Infinity,
    retry: false,
  });
}

export function stepKindsQuery() {
  return queryOptions({
    queryKey: ["step-kinds"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/step-kinds", { signal })),
    staleTime: Infinity,
  });
}

/** The tools of the tape's models, agent and family, with the schemas of their arguments. */
export function toolsQuery(tapeId: string) {
  return queryOptions({
    queryKey: [...tapeKeys.tape(tapeId), "tools"],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/tapes/{tape_id}/tools", {
          params: { path: { tape_id: tapeId } },
          signal,
        }),
      ),
    staleTime: 60_000,
  });
}
