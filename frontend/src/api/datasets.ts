/** Datasets: listing them, adding and removing tapes, with undo in a toast. */
import { notifications } from "@mantine/notifications";
import { queryOptions, useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";

import { client, settle, unwrap } from "@/api/client";
import { pagedQuery } from "@/api/pages";
import { showLastingFailure } from "@/api/showFailure";
import { ALL_TAPES } from "@/api/tags";
import { tapeKeys } from "@/api/tapes";
import type { Dataset, DatasetIn, DatasetPatch, TapeSelection } from "@/api/types";
import { countOf } from "@/lib/format";
import { withProject } from "@/lib/project";
import { visibleText } from "@/lib/visibleText";
import { offerUndo } from "@/ui/undoToast";

export const datasetKeys = { all: ["datasets"] };

const of = (datasetId: string) => ({ params: { path: { dataset_id: datasetId } } });

/** Datasets with their totals, newest first. */
export function datasetsQuery() {
  return pagedQuery({
    key: [...datasetKeys.all, "list"],
    ask: (query, signal) => unwrap(client.GET("/api/v1/datasets", { params: { query }, signal })),
  });
}

/** Datasets to choose from, by name; for a tape, each with whether the tape is in it. */
export function datasetNamesQuery(tapeId?: string) {
  const query = tapeId === undefined ? {} : { tape: tapeId };
  return queryOptions({
    queryKey: [...datasetKeys.all, "names", tapeId ?? null],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/datasets/names", { params: { query }, signal })),
  });
}

export function datasetQuery(datasetId: string) {
  return queryOptions({
    queryKey: [...datasetKeys.all, "one", datasetId],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/datasets/{dataset_id}", { ...of(datasetId), signal })),
  });
}

export function useSaveDataset(dataset: Dataset | null) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: DatasetIn & DatasetPatch) =>
      dataset === null
        ? unwrap(client.POST("/api/v1/datasets", { body }))
        : unwrap(client.PATCH("/api/v1/datasets/{dataset_id}", { ...of(dataset.id), body })),
    onSuccess: () => refresh(queries),
  });
}

export function useDeleteDataset() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Named) => settle(client.DELETE("/api/v1/datasets/{dataset_id}", of(id))),
    onSuccess: async (_, { id, name }) => {
      await refresh(queries);
      offerUndo(`The dataset “${visibleText(name)}” was deleted`, () =>
        takeBack(queries, "The dataset was not restored", () =>
          unwrap(client.POST("/api/v1/datasets/{dataset_id}/restore", of(id))),
        ),
      );
    },
    onError: (error) => showLastingFailure("The dataset was not deleted", error),
  });
}

interface Named {
  id: string;
  name: string;
}

type Selected = Partial<TapeSelection>;

/** What to do with the selected tapes: add them, make a new dataset of them, or remove them. */
export type DatasetRequest = { selection: Selected | (() => Promise<Selected>) } & (
  { do: "add" | "remove"; dataset: Named } | { do: "make"; name: string }
);

/** Changes datasets and offers to undo exactly that; `onShow` opens the dataset of a name. */
export function useChangeDatasets(onShow: (name: string) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (request: DatasetRequest) => {
      const { selection: chosen } = request;
      const selected = typeof chosen === "function" ? await chosen() : chosen;
      const selection = { ...ALL_TAPES, ...selected };
      return request.do === "make"
        ? make(queries, request.name, selection)
        : change(queries, request.do, request.dataset, selection);
    },
    onSuccess: async ({ title, name, undo }) => {
      await refresh(queries);
      const show = { words: "Show the dataset", run: () => onShow(name) };
      if (undo !== null) offerUndo(title, undo, show);
      else notifications.show({ title, message: "It was already that way." });
    },
    onError: (error) => showLastingFailure("The dataset was not changed", error),
  });
}

/** What was done, as a sentence, and how to undo it: `null` when nothing changed. */
interface Done {
  title: string;
  name: string;
  undo: (() => void) | null;
}

async function make(queries: QueryClient, name: string, selection: TapeSelection): Promise<Done> {
  const body = { name, description: "", selection };
  const made = await unwrap(client.POST("/api/v1/datasets", { body }));
  return {
    title: `${countOf(made.tape_count, "tape")} added to the new dataset “${visibleText(name)}”`,
    name,
    undo: () =>
      takeBack(queries, "The dataset was not removed", () =>
        settle(client.DELETE("/api/v1/datasets/{dataset_id}", of(made.id))),
      ),
  };
}

async function change(
  queries: QueryClient,
  what: "add" | "remove",
  { id, name }: Named,
  selection: TapeSelection,
): Promise<Done> {
  const changed = await unwrap(
    what === "add"
      ? client.POST("/api/v1/datasets/{dataset_id}/add", { ...of(id), body: selection })
      : client.POST("/api/v1/datasets/{dataset_id}/remove", { ...of(id), body: selection }),
  );
  const { id: changeId, changed_count: count } = changed;
  const done = what === "add" ? "added to" : "removed from";
  const words = count === 0 ? "No tape" : countOf(count, "tape");
  const params = { path: { change_id: changeId ?? "" } };
  return {
    title: `${words} ${done} “${visibleText(name)}”`,
    name,
    undo:
      changeId === null
        ? null
        : () =>
            takeBack(queries, "The change was not undone", () =>
              unwrap(client.POST("/api/v1/datasets/changes/{change_id}/undo", { params })),
            ),
  };
}

function takeBack(queries: QueryClient, failure: string, ask: () => Promise<unknown>): void {
  void ask()
    .catch((error: unknown) => showLastingFailure(failure, error))
    .then(() => refresh(queries));
}

/** Includes the lists of tapes, because their queries may name a dataset. */
async function refresh(queries: QueryClient): Promise<void> {
  await queries.invalidateQueries({ queryKey: datasetKeys.all });
  await queries.invalidateQueries({ queryKey: tapeKeys.lists });
}

/** The tasks of a dataset, as a file that can be imported as examples again. */
export function tasksUrl(datasetId: string): string {
  return withProject(`/api/v1/datasets/${datasetId}/tasks.jsonl`);
}
