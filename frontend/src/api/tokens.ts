/** Access tokens, with which a person's scripts sign in. */
import { queryOptions } from "@tanstack/react-query";

import { client, settle, unwrap } from "@/api/client";
import type { TokenIn } from "@/api/types";
import { useChange } from "@/api/useChange";

const key = ["tokens"];

export function tokensQuery() {
  return queryOptions({
    queryKey: key,
    queryFn: async ({ signal }) => (await unwrap(client.GET("/api/v1/tokens", { signal }))).items,
  });
}

/** The response is the only place that contains the token. */
export function useMakeToken() {
  return useChange([key], (body: TokenIn) => unwrap(client.POST("/api/v1/tokens", { body })));
}

export function useRevokeToken() {
  return useChange([key], (id: string) =>
    settle(client.DELETE("/api/v1/tokens/{token_id}", { params: { path: { token_id: id } } })),
  );
}
