import { queryOptions } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";

export function batchesQuery() {
  return queryOptions({
    queryKey: ["batches"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/batches", { signal })),
  });
}
