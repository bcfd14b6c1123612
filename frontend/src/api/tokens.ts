/** Access tokens: by which a person's scripts ask. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { client, settle, unwrap } from "@/api/client";
import type { TokenIn } from "@/api/types";

const key = ["tokens"];

export function tokensQuery() {
  return queryOptions({
    queryKey: key,
    queryFn: async ({ signal }) => (await unwrap(client.GET("/api/v1/tokens", { signal }))).items,
  });
}

function useChange<Asked, Made>(change: (asked: Asked) => Promise<Made>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  });
}

/** The answer is the only place where the token is told. */
export function useMakeToken() {
  return useChange((body: TokenIn) => unwrap(client.POST("/api/v1/tokens", { body })));
}

export function useRevokeToken() {
  return useChange((id: string) =>
    settle(client.DELETE("/api/v1/tokens/{token_id}", { params: { path: { token_id: id } } })),
  );
}
