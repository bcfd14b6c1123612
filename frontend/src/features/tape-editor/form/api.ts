/** What forms are made from: the schemas of steps, their kinds, the tools. */
import { queryOptions } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import { tapeKeys } from "@/api/tapes";

/** What the form of a recorded step is made from. */
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

/** What the form of a new step is made from; kinds of the tape itself count too. */
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

/** The tools of its models, its agent and its family, with the schemas of their arguments. */
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
