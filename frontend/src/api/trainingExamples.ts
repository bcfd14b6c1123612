/** The examples of a training set: a list, each in full, and as the tokens of a base model. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";

import { client, unwrap } from "@/api/client";
import type { ExampleRow, SetFormat } from "@/api/types";
import { withProject } from "@/lib/project";

export type Side = ExampleRow["side"];

/** Filters for examples; an omitted one does not filter. */
export interface WantedExamples {
  side: Side;
  /** Matches the id, the tape's id, or the beginning of the question or the answer. */
  text?: string;
  writer?: "person" | "model";
  /** In characters. */
  shortest?: number;
  longest?: number;
}

const PAGE = 100;

const ofSet = (id: string) => ({ path: { training_set_id: id } });
const keyOf = (setId: string) => ["training", "set", setId, "examples"];

/** A set never changes, so what was read once stays valid. */
export function examplesQuery(setId: string, wanted: WantedExamples) {
  return infiniteQueryOptions({
    queryKey: [...keyOf(setId), "list", wanted],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => {
      const params = { ...ofSet(setId), query: { ...wanted, start: pageParam, limit: PAGE } };
      return unwrap(
        client.GET("/api/v1/training-sets/{training_set_id}/examples", { params, signal }),
      );
    },
    getNextPageParam: ({ total }, _pages, last) => (last + PAGE < total ? last + PAGE : null),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
}

export function exampleQuery(setId: string, example: string) {
  return queryOptions({
    queryKey: [...keyOf(setId), "whole", example],
    queryFn: ({ signal }) => {
      const params = { ...ofSet(setId), query: { example } };
      return unwrap(
        client.GET("/api/v1/training-sets/{training_set_id}/example", { params, signal }),
      );
    },
    staleTime: Infinity,
  });
}

/** The examples with these ids, in no particular order. */
export function exampleRowsQuery(setId: string, ids: readonly string[]) {
  return queryOptions({
    queryKey: [...keyOf(setId), "rows", ids],
    queryFn: async ({ signal }) => {
      const params = { ...ofSet(setId), query: { example: [...ids], limit: 200 } };
      const found = await unwrap(
        client.GET("/api/v1/training-sets/{training_set_id}/examples", { params, signal }),
      );
      return new Map(found.items.map((row) => [row.id, row]));
    },
    staleTime: Infinity,
  });
}

/** An example as a base model sees it; the first request takes seconds, its neighbors are fast. */
export function tokensQuery(setId: string, example: string, base: string) {
  return queryOptions({
    queryKey: [...keyOf(setId), "tokens", base, example],
    queryFn: ({ signal }) => {
      const params = { ...ofSet(setId), query: { example, base } };
      return unwrap(
        client.GET("/api/v1/training-sets/{training_set_id}/tokens", { params, signal }),
      );
    },
    staleTime: Infinity,
  });
}

/** The formats that a set can be exported in, each with what it cannot represent. */
export function setFormatsQuery(setId: string) {
  return queryOptions({
    queryKey: ["training", "set", setId, "formats"],
    queryFn: ({ signal }) => {
      const params = ofSet(setId);
      return unwrap(
        client.GET("/api/v1/training-sets/{training_set_id}/formats", { params, signal }),
      );
    },
    staleTime: Infinity,
  });
}

/** The text with its trained spans, as a base's chat template writes it. */
export function setTextsUrl(setId: string, base: string, side: Side): string {
  const query = new URLSearchParams({ base, side }).toString();
  return withProject(`/api/v1/training-sets/${setId}/texts?${query}`);
}

export function setExportUrl(setId: string, format: SetFormat["format"], side: Side): string {
  return withProject(`/api/v1/training-sets/${setId}/export?format=${format}&side=${side}`);
}
