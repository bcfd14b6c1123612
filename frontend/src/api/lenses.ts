/** Lenses: saved views of the list of tapes. */
import { queryOptions } from "@tanstack/react-query";

import { client, settle, unwrap } from "@/api/client";
import type { LensIn, LensPatch } from "@/api/types";

export const lensKeys = { all: ["lenses"] };

export function lensesQuery() {
  return queryOptions({
    queryKey: lensKeys.all,
    queryFn: async ({ signal }) => (await unwrap(client.GET("/api/v1/lenses", { signal }))).items,
    staleTime: 30_000,
  });
}

export function createLens(body: LensIn) {
  return unwrap(client.POST("/api/v1/lenses", { body }));
}

export function changeLens(id: string, body: LensPatch) {
  return unwrap(
    client.PATCH("/api/v1/lenses/{lens_id}", { params: { path: { lens_id: id } }, body }),
  );
}

export function deleteLens(id: string) {
  return settle(client.DELETE("/api/v1/lenses/{lens_id}", { params: { path: { lens_id: id } } }));
}
